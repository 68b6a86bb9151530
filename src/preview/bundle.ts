import type { Plugin } from "esbuild";
import { ALLOWED_IMPORTS } from "../checking/refused-names.ts";
import { DragomanError, messageOf } from "../core/errors.ts";

export interface BundleOptions {
  /** A generated module. What begins it imports it as "interface". */
  code: string;
  /** The script that begins it, and where what it imports is looked for. */
  start: { contents: string; resolveDir: string };
  /** Where React is found. */
  packageFolder: string;
}

/** A generated module with React and what begins it, as one script. */
export async function bundle({ code, start, packageFolder }: BundleOptions): Promise<string> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    stdin: { ...start, loader: "jsx" },
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    jsx: "automatic",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
    tsconfigRaw: "{}", // none of a folder around it
    plugins: [generated(code, packageFolder)],
  }).catch((error: unknown) => {
    throw new DragomanError("generation_failed", `The interface does not build: ${messageOf(error)}`);
  });
  return outputFiles[0]?.text ?? "";
}

/** What someone else may have written takes nothing from the disk but React. */
function generated(code: string, resolveDir: string): Plugin {
  return {
    name: "interface",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^interface$/ }, () => ({ path: "interface", namespace: "generated" }));
      onResolve({ filter: /.*/, namespace: "generated" }, ({ path }) =>
        ALLOWED_IMPORTS.includes(path)
          ? undefined
          : { errors: [{ text: `An interface imports nothing but React, and not ${JSON.stringify(path)}.` }] },
      );
      onLoad({ filter: /.*/, namespace: "generated" }, () => ({ contents: code, loader: "tsx", resolveDir }));
    },
  };
}
