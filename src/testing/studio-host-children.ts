import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterEach, beforeAll } from "vitest";
import type { StudioHost } from "../clients/studio/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The scripted runtime as a program, bundled since that starts fast; and hosts that are stopped with the test. */
export function hostChildren() {
  const folder = temporaryFolder();
  const hosts: StudioHost[] = [];
  let script = "";
  beforeAll(async () => {
    script = join(folder.path, "studio-host-runtime.mjs");
    const entry = fileURLToPath(new URL("studio-host-runtime.ts", import.meta.url));
    await build({ entryPoints: [entry], outfile: script, bundle: true, format: "esm", platform: "node" });
  });
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
  });
  return {
    folder,
    command: (...flags: string[]) => ({ command: process.execPath, args: [script, ...flags] }),
    keep(host: StudioHost): StudioHost {
      hosts.push(host);
      return host;
    },
  };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
