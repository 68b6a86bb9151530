import { join } from "node:path";
import { packageFolder } from "../core/package-folder.ts";

let bundled: Promise<string> | undefined;

/**
 * React, a page in memory and what visits it, as a script whose value is what `sandbox/start.ts` exports. It is the same for every
 * interface. React is the one for development, as its messages are written for those who write code.
 */
export function sandboxScript(): Promise<string> {
  bundled ??= bundle().catch((error: unknown) => {
    bundled = undefined;
    throw error;
  });
  return bundled;
}

async function bundle(): Promise<string> {
  const { build } = await import("esbuild");
  const sources = join(packageFolder(), "src/checking/sandbox");
  const { outputFiles } = await build({
    entryPoints: [join(sources, "start.ts")],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "browser",
    target: "es2022",
    // Less to read for the sandbox; names stay as they are.
    minifyWhitespace: true,
    minifySyntax: true,
    banner: { js: "(function(){const module={exports:{}};" },
    footer: { js: "return module.exports})()" },
    define: { "process.env.NODE_ENV": '"development"' },
    inject: [join(sources, "react-advice.ts")],
    tsconfigRaw: {},
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}
