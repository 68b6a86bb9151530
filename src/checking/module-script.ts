import { SourceMap } from "node:module";
import { messageOf } from "../core/errors.ts";

export const MODULE_FILE = "interface.tsx";

/** A module as the function that a sandbox calls with `require`, `module` and `exports`. */
export interface ModuleScript {
  script: string;
  /** Where in the module the first place of a stack is that is in it. */
  placeIn(stack: string): { line: number; column: number } | undefined;
}

export async function moduleScript(code: string): Promise<ModuleScript | { refused: string }> {
  const { transform } = await import("esbuild");
  try {
    const built = await transform(code, {
      loader: "tsx",
      format: "cjs",
      jsx: "automatic",
      target: "es2022",
      supported: { "dynamic-import": true }, // stays one, which the sandbox refuses
      sourcemap: "external",
      sourcefile: MODULE_FILE,
      sourcesContent: false,
      legalComments: "none",
      logLevel: "silent",
    });
    const script = `(function (require, module, exports) {${built.code}\n})`;
    let map: SourceMap | undefined; // which only failures need
    return {
      script,
      placeIn(stack) {
        map ??= new SourceMap(JSON.parse(built.map));
        return placeIn(stack, map);
      },
    };
  } catch (error) {
    return { refused: messageOf(error) };
  }
}

function placeIn(stack: string, map: SourceMap) {
  const [, line, column] = /\(?interface\.tsx:(\d+):(\d+)\)?/.exec(stack) ?? [];
  if (!line) return undefined;
  const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
  return "originalLine" in entry ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 } : undefined;
}
