// Bundles the command and the store's writer thread: start-up time is mostly the loading of modules, so there are few of them.
import { chmod, rm } from "node:fs/promises";
import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: { main: "src/cli/main.ts", "sqlite-writer": "src/stores/sqlite-writer.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: "linked",
  external: ["@photostructure/sqlite"],
  loader: { ".jsonl": "text" },
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
await chmod("dist/main.js", 0o755);
