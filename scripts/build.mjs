// Bundles the command and the store's writer thread, for start-up time is mostly the loading of modules, so there are few of them;
// then the client library, and what TypeScript needs to know of it.
import { execFile } from "node:child_process";
import { chmod, cp, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as esbuild from "esbuild";
import { embedKit } from "./embed-kit.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const usual = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  sourcemap: "linked",
  logLevel: "warning",
};

export async function build(outdir) {
  await Promise.all([rm(outdir, { recursive: true, force: true }), embedKit()]);
  await Promise.all([buildCommand(outdir), buildClients(outdir), buildPage(outdir)]);
}

async function buildCommand(outdir) {
  await bundle({ main: "src/cli/main.ts" }, outdir);
  await chmod(`${outdir}/main.js`, 0o755);
}

/** Programs on our own parts, with the store's writer thread beside them, from where they start it. */
export async function bundle(entryPoints, outdir) {
  await esbuild.build({
    ...usual,
    entryPoints: {
      ...entryPoints,
      "sqlite-writer": "src/stores/sqlite-writer.ts",
      "work-thread": "src/operations/work-thread.ts",
      "interface-thread": "src/engines/interfacing/interface-thread.ts",
      "read-thread": "src/checking/read-thread.ts",
      "render-thread": "src/checking/render-thread.ts",
      "diff-thread": "src/dialects/studio/server/diff-thread.ts",
    },
    outdir,
    splitting: true,
    minifyWhitespace: true,
    external: ["@photostructure/sqlite", "@github/copilot-sdk", "esbuild"],
    plugins: [oneLanguage],
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  });
}

/** Our checks speak English: the other languages of zod are half of its size, and would be read at every start. */
const oneLanguage = {
  name: "one-language",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer, resolveDir }) =>
      /[\\/]node_modules[\\/]zod[\\/]/.test(importer) ? { path: join(resolveDir, "../locales/en.js") } : undefined,
    );
  },
};

/** What `serve` shows in a browser, as files. */
async function buildPage(outdir) {
  const filter = (path) => !path.endsWith(".test.ts");
  await cp(join(root, "src/page"), join(outdir, "page"), { recursive: true, filter });
}

/**
 * Others bundle these into programs of their own, so they stay readable and need nothing. All but that of sidecar a page loads as they are:
 * only where there is no WebSocket, in Node, they ask for the package `ws`, and where a process or a socket of the system is to be opened, for
 * the part of them that only Node has.
 */
async function buildClients(outdir) {
  const clients = { ...usual, outdir: join(outdir, "clients") };
  const browser = { platform: "browser", target: "es2022", external: ["ws"], plugins: [apart] };
  const entryPoints = {
    sidecar: "src/clients/sidecar/index.ts",
    "ui-node": "src/clients/ui/spawn.ts",
    "live-node": "src/clients/live/node-links.ts",
    "studio-node": "src/clients/studio/node-links.ts",
  };
  const onPages = {
    ui: "src/clients/ui/index.ts",
    operations: "src/clients/operations/index.ts",
    live: "src/clients/live/index.ts",
    studio: "src/clients/studio/index.ts",
  };
  await Promise.all([
    esbuild.build({ ...clients, entryPoints }),
    esbuild.build({ ...clients, ...browser, entryPoints: onPages }),
  ]);
}

/** What a client takes of Node stays a file of its own, which it imports when it needs it. */
const apart = {
  name: "apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\/(node-links|spawn)\.ts$/ }, ({ kind, importer }) => {
      const path = `./${basename(dirname(importer))}-node.js`;
      return kind === "dynamic-import" ? { path, external: true } : undefined;
    });
  },
};

/** The declarations of the clients and of what they are derived from. They are checked with everything else, not here. */
export async function declare(outdir) {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", join(root, "tsconfig.client.json"), "--outDir", outdir]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build(`${root}dist`);
  await declare(`${root}dist/types`);
}
