// Bundles the command and the store's writer thread: start-up time is mostly the loading of modules, so there are few of them.
import { chmod, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

export async function build(outdir) {
  await rm(outdir, { recursive: true, force: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: { main: "src/cli/main.ts", "sqlite-writer": "src/stores/sqlite-writer.ts" },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: "linked",
    external: ["@photostructure/sqlite"],
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  await chmod(`${outdir}/main.js`, 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(`${root}dist`);
