import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServeProcess } from "./serve-process.ts";

/** A server in a process of its own with an engine that says much; see `operations-chaos-child.ts`, which is the script. */
export class ChaosServer extends ServeProcess {
  readonly workspace: string;
  readonly store: string;

  /** In a new folder, with features of those names; `hosts` are other names that it answers to. */
  constructor(script: string, folder: string, features: string[], hosts: string[]) {
    const [home, workspace] = [join(folder, "home"), join(folder, "workspace")];
    for (const feature of features) {
      mkdirSync(join(workspace, "specs", feature), { recursive: true });
      writeFileSync(join(workspace, "specs", feature, "spec.md"), `# ${feature}\n`);
    }
    super({ home, workspace }, hosts, {}, [script]);
    this.workspace = workspace;
    this.store = join(home, "log.db");
  }

  /** The most memory that it ever had, where the system tells; in MB. */
  get peakMegabytes(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    } catch {
      return undefined;
    }
  }

  /** It is told to end, and does. */
  async stop(): Promise<void> {
    this.child.stdin.end();
    await this.exit;
  }

  close(): void {
    this.child.kill("SIGKILL");
  }
}
