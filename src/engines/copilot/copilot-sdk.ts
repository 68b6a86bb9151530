import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DragomanError, messageOf } from "../../core/errors.ts";

export type CopilotSdk = typeof import("@github/copilot-sdk");

/** The one that this engine was tried with. */
const VERSION = "1.0.14";

/** The package is large and optional, so it is looked for when it is needed. */
export async function loadSdk(load = (): Promise<CopilotSdk> => import("@github/copilot-sdk")): Promise<CopilotSdk> {
  try {
    return await load();
  } catch (error) {
    const [why = ""] = messageOf(error).split("\n");
    throw notInstalled(`The engine "copilot" needs the package @github/copilot-sdk, which cannot be loaded (${why}).`);
  }
}

/** The program that the SDK brings for this system, or the one that the user names in its stead. */
export function runtimeProgram(env: NodeJS.ProcessEnv = process.env): { file: string; args: string[] } {
  const file = env.COPILOT_CLI_PATH || bundledRuntime();
  return file.endsWith(".js") ? { file: process.execPath, args: [file] } : { file, args: [] };
}

function bundledRuntime(): string {
  const name = process.platform === "win32" ? "copilot-runtime.exe" : "copilot-runtime";
  for (const platform of platforms()) {
    const folder = packageFolder(`@github/copilot-sdk-${platform}`);
    const file = folder && join(folder, "prebuilds", platform, name);
    if (file && existsSync(file)) return file;
  }
  throw notInstalled(`The package @github/copilot-sdk has no runtime for ${process.platform} on ${process.arch} here.`);
}

/** Which C library a Linux has is known by which of them was installed. */
const platforms = () =>
  process.platform === "linux"
    ? [`linux-${process.arch}`, `linuxmusl-${process.arch}`]
    : [`${process.platform}-${process.arch}`];

/** As the SDK finds it, which need not be where we are. */
function packageFolder(name: string): string | undefined {
  try {
    const fromSdk = createRequire(createRequire(import.meta.url).resolve("@github/copilot-sdk"));
    return dirname(fromSdk.resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

export function notInstalled(problem: string): DragomanError {
  const advice = `Install it: npm install @github/copilot-sdk@${VERSION}, or choose another engine.`;
  return new DragomanError("engine_unavailable", `${problem} ${advice}`);
}
