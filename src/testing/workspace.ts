import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AnyTool, Intent, ToolContext, ToolResult } from "../core/tool.ts";
import { quietIo } from "./quiet-io.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A folder of its own to call tools in. There is another one around it, for what is outside. */
export class Workspace {
  readonly around: string;
  readonly path: string;
  readonly context: ToolContext;

  constructor(parent: string) {
    this.around = realpathSync(mkdtempSync(join(parent, "around-")));
    this.path = join(this.around, "app");
    mkdirSync(this.path);
    this.context = { workspace: this.path, trusted: false };
  }

  /** Writes files, by their paths from the workspace; folders are made. */
  files(contents: Record<string, string | Uint8Array>): this {
    for (const [name, content] of Object.entries(contents)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), content);
    }
    return this;
  }

  text(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  intent(tool: AnyTool, args: unknown): Promise<Intent> {
    return tool.intent(tool.args.parse(args), this.context);
  }

  run(tool: AnyTool, args: unknown, signal = new AbortController().signal): Promise<ToolResult> {
    return tool.run(tool.args.parse(args), this.context, quietIo(signal));
  }
}

/** Makes workspaces that are there while the tests of the file run. */
export function temporaryWorkspaces(): () => Workspace {
  const folder = temporaryFolder();
  return () => new Workspace(folder.path);
}
