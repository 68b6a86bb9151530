import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";

interface Layer {
  /** Files, and folders with everything in them. A file belongs to the first layer that names it. */
  at: string[];
  /** The other layers it may import. */
  imports: string[];
  /** The layers of which it may import types on top of that. */
  types?: string[];
  /** The packages it may import; any, if not said. */
  packages?: string[];
}

const core = ["errors", "core"];
const work = [...core, "tools", "generator", "operations"];
const inside = [...work, "codecs", "stores", "dialects", "engines"];

const layers: Record<string, Layer> = {
  // Codecs run in browsers, and with them what they import.
  errors: { at: ["src/core/errors.ts"], imports: [], packages: [] },
  codecs: {
    at: ["ndjson", "sse", "json", "line-splitter"].map((name) => `src/transports/${name}.ts`),
    imports: ["errors"],
    packages: [],
  },
  // What a server and a client both make of messages.
  views: { at: ["src/dialects/live/session-view.ts"], imports: [], types: ["dialects"], packages: [] },
  core: { at: ["src/core/"], imports: ["errors"], packages: ["zod", "node:"] },
  stores: { at: ["src/stores/"], imports: core },
  dialects: { at: ["src/dialects/"], imports: [...core, "views"], types: ["operations"] },
  tools: { at: ["src/tools/"], imports: core },
  config: { at: ["src/config/"], imports: core },
  // What is wanted otherwise than it was generated. The generator knows it, too.
  customizing: { at: ["src/generator/kit/customizing/"], imports: [], types: ["kit"], packages: [] },
  // What generated interfaces are built from; it is copied into them, so it stands alone.
  kit: { at: ["src/generator/kit/"], imports: ["customizing"], packages: ["react", "react-dom"] },
  // No I/O, so nothing of Node.
  generator: {
    at: ["src/generator/"],
    imports: [...core, "customizing"],
    types: ["kit"],
    packages: ["@babel/parser", "diff", "graphql", "js-yaml", "yaml"],
  },
  operations: { at: ["src/operations/"], imports: [...core, "tools"] },
  // Whether the code of an interface may be shown.
  checking: { at: ["src/checking/"], imports: core },
  // An agent on stdio speaks NDJSON too.
  engines: { at: ["src/engines/"], imports: [...work, "codecs", "checking"], types: ["customizing"] },
  // A model's server to try agents with; it knows nothing of them.
  "stub-model": { at: ["src/stub-model/"], imports: ["errors"], packages: ["node:"] },
  // Who may come in over the network.
  access: { at: ["src/access/"], imports: [...core, "config"] },
  transports: { at: ["src/transports/"], imports: [...inside, "access"] },
  // What shows generated interfaces, and asks their APIs for them.
  preview: {
    at: ["src/preview/"],
    imports: [...core, "config", "generator", "kit", "codecs", "checking", "tools", "transports"],
  },
  clients: { at: ["src/clients/"], imports: ["codecs", "views"], types: [...inside, "transports"] },
  web: { at: ["web/"], imports: ["codecs", "clients"], types: [...inside, "transports"] },
  cli: {
    at: ["src/cli/"],
    imports: [...inside, "config", "access", "transports", "clients", "preview", "stub-model"],
    types: ["customizing"],
  },
};

// Folders of exchangeable parts. Each part that a list of the folder names is imported there, and in its folder nowhere else but in itself.
// The engines that are agents have a list of their own, which knows how they are configured.
const parts: Record<string, string[]> = {
  "src/dialects/": ["index.ts"],
  "src/engines/": ["index.ts", "agents/configured-engines.ts"],
};

// The composition root alone decides which of these are used; everyone else is handed them.
const root = "src/cli/main.ts";
const chosenByRoot = ["stores", "engines"];

// Tests, contract suites and src/testing import what they like, and nothing but them imports those.
const isTest = (path: string) => /\.test(\.data)?\.tsx?$|(^|[/.-])contract\.ts$|^src\/testing\//.test(path);

const vagueWords = ["util", "utils", "common", "helper", "helpers", "manager", "impl"];

type Sources = Record<string, string>;

interface Import {
  from: string;
  /** A path in the project, or the name of a package. */
  to: string;
  isPackage: boolean;
  typeOnly: boolean;
}

// Read from the text as it stands, comments and templates included: a false alarm is seen, a missed import is not.
const staticImport = /^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s*)?["']([^"']+)["']/gm;
const dynamicImport = /\bimport\(\s*(?:\/\*.*?\*\/\s*)?["'`]([^"'`]+)["'`]/g;

function importsOf(from: string, source: string): Import[] {
  const found = [
    ...[...source.matchAll(staticImport)].map(([, type, to = ""]) => ({ to, typeOnly: type !== undefined })),
    ...[...source.matchAll(dynamicImport)].map(([, to = ""]) => ({ to, typeOnly: false })),
  ];
  return found.map(({ to, typeOnly }) => {
    const isPackage = !to.startsWith(".");
    return { from, to: isPackage ? to : posix.join(posix.dirname(from), to), isPackage, typeOnly };
  });
}

const isAt = (path: string) => (place: string) => (place.endsWith("/") ? path.startsWith(place) : path === place);
const layerOf = (path: string) => Object.keys(layers).find((name) => layers[name]?.at.some(isAt(path)));

/** The part a file of such a folder belongs to: `ui` for both `ui.ts` and `ui/calls.ts`. */
const partOf = (folder: string, path: string) => path.slice(folder.length).split(/[/.]/)[0] ?? "";

/** The parts that a list names, and the lists themselves, each with the part whose list has it. */
function listedParts(folder: string, sources: Sources): Map<string, string> {
  const lists = (parts[folder] ?? []).map((name) => `${folder}${name}`);
  const listed = lists.flatMap((list) => {
    const by = partOf(folder, list);
    const named = importsOf(list, sources[list] ?? "").filter(({ to, typeOnly }) => !typeOnly && to.startsWith(folder));
    return named.map(({ to }): [string, string] => [partOf(folder, to), by]).filter(([part]) => part !== by);
  });
  return new Map([...lists.map((list): [string, string] => [partOf(folder, list), ""]), ...listed]);
}

function offence(it: Import, sources: Sources): string | undefined {
  const name = layerOf(it.from);
  const layer = layers[name ?? ""];
  if (!layer) return "belongs to no layer; add it to the table";
  if (it.isPackage) {
    const allowed =
      layer.packages?.some((one) => (one.endsWith(":") ? it.to.startsWith(one) : `${it.to}/`.startsWith(`${one}/`))) ??
      true;
    return allowed ? undefined : `${name} does not use this package`;
  }
  if (isTest(it.to)) return "only tests import tests";
  if (it.to === root) return "nobody imports the composition root";
  const target = layerOf(it.to);
  if (!target) return "imports what belongs to no layer";
  const reachable = [name, ...layer.imports, ...(it.typeOnly ? (layer.types ?? []) : [])];
  if (!reachable.includes(target)) return `${name} may not import ${target}`;
  if (target !== name && chosenByRoot.includes(target) && !it.typeOnly && it.from !== root) {
    return `only ${root} chooses among ${target}`;
  }
  const folder = Object.keys(parts).find((one) => it.from.startsWith(one) && it.to.startsWith(one));
  return folder && offenceAmongParts(folder, it, sources);
}

function offenceAmongParts(folder: string, it: Import, sources: Sources): string | undefined {
  const [from, to] = [partOf(folder, it.from), partOf(folder, it.to)];
  const by = listedParts(folder, sources).get(to);
  return from === to || by === undefined || by === from ? undefined : `${from} may not know ${to}`;
}

function offences(sources: Sources): string[] {
  return Object.entries(sources)
    .filter(([path]) => !isTest(path))
    .flatMap(([path, source]) => importsOf(path, source))
    .flatMap((it) => {
      const reason = offence(it, sources);
      return reason ? [`${it.from} -> ${it.to}: ${reason}`] : [];
    });
}

const printing = (sources: Sources) =>
  Object.keys(sources).filter((path) => {
    return !path.startsWith("src/cli/") && !isTest(path) && /\bconsole\s*\??\.|\bconsole\[/.test(sources[path] ?? "");
  });

const misnamed = (paths: string[]) =>
  paths.filter((path) => {
    const words = path.split(/[/.-]/);
    const kebab = path.split("/").every((name) => /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/.test(name));
    return !kebab || words.some((word) => vagueWords.includes(word));
  });

function readSources(): Sources {
  const project = new URL("../", import.meta.url);
  const paths = ["src", "web"]
    .filter((folder) => existsSync(new URL(folder, project)))
    .flatMap((folder) => filesIn(project, folder));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, project), "utf8")]));
}

function filesIn(project: URL, folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, project), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|dist|golden)$/.test(entry.name) ? [] : filesIn(project, path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

describe("the source", () => {
  const sources = readSources();

  test("is found", () => {
    expect(Object.keys(sources)).toContain("src/core/errors.ts");
  });

  test("imports only in the direction of the layers", () => {
    expect(offences(sources)).toEqual([]);
  });

  test("prints only in the command", () => {
    expect(printing(sources)).toEqual([]);
  });

  test("has kebab-case file names that say something", () => {
    expect(misnamed(Object.keys(sources))).toEqual([]);
  });
});

describe("the check itself", () => {
  const index =
    'import { ui } from "./ui.ts";\nimport { acp } from "./acp/index.ts";\nimport type { D } from "./dialect.ts";';
  const lists = {
    "src/dialects/index.ts": index,
    "src/engines/index.ts": 'import { builtin } from "./builtin.ts";',
    "src/engines/agents/configured-engines.ts":
      'import { find } from "./find.ts";\nconst a = () => import("../acp/index.ts");\nconst c = () => import("../copilot/index.ts");',
  };

  test.each<[string, string, string]>([
    ["src/core/log.ts", 'import { ui } from "../dialects/ui.ts";', "core may not import dialects"],
    ["src/core/log.ts", 'import type { Ui } from "../dialects/ui.ts";', "core may not import dialects"],
    ["src/core/log.ts", 'import {\n  a,\n  type B,\n} from "../tools/git.ts";', "core may not import tools"],
    ["src/core/log.ts", 'export * from "../stores/memory.ts";', "core may not import stores"],
    ["src/core/log.ts", 'export type { A } from "../stores/memory.ts";', "core may not import stores"],
    ["src/core/log.ts", 'import "../stores/memory.ts";', "core may not import stores"],
    ["src/core/log.ts", '  const ws = await import("ws");', "core does not use this package"],
    ["src/core/log.ts", 'import { test } from "vitest";', "core does not use this package"],
    ["src/core/errors.ts", 'import { z } from "zod";', "errors does not use this package"],
    ["src/core/errors.ts", 'import { newId } from "./ids.ts";', "errors may not import core"],
    ["src/stores/sqlite.ts", 'import { ui } from "../dialects/ui.ts";', "stores may not import dialects"],
    ["src/dialects/ui.ts", 'import { x } from "./acp/calls.ts";', "ui may not know acp"],
    ["src/dialects/acp/calls.ts", 'import type { X } from "../ui.ts";', "acp may not know ui"],
    ["src/dialects/fold.ts", 'import { ui } from "./ui.ts";', "fold may not know ui"],
    ["src/dialects/ui.ts", 'import { dialects } from "./index.ts";', "ui may not know index"],
    ["src/dialects/ui.ts", 'import { parseJson } from "../transports/json.ts";', "dialects may not import codecs"],
    ["src/engines/builtin.ts", 'import { x } from "../stores/memory.ts";', "engines may not import stores"],
    ["src/engines/acp/run.ts", 'import { x } from "../copilot/index.ts";', "acp may not know copilot"],
    ["src/engines/copilot/run.ts", 'import type { X } from "../acp/wire.ts";', "copilot may not know acp"],
    ["src/engines/copilot/run.ts", 'import { x } from "../agents/presets.ts";', "copilot may not know agents"],
    ["src/engines/kept-agents.ts", 'import { x } from "./acp/agent.ts";', "kept-agents may not know acp"],
    ["src/engines/agents/presets.ts", 'import { b } from "../builtin.ts";', "agents may not know builtin"],
    ["src/transports/sse.ts", 'import { Buffer } from "node:buffer";', "codecs does not use this package"],
    ["src/transports/sse.ts", 'import { newId } from "../core/ids.ts";', "codecs may not import core"],
    ["src/transports/http.ts", 'import { run } from "../cli/serve.ts";', "transports may not import cli"],
    ["src/transports/http.ts", 'import { x } from "../stores/memory.ts";', "only src/cli/main.ts chooses among stores"],
    ["src/clients/ui.ts", 'import { newId } from "../core/ids.ts";', "clients may not import core"],
    ["web/src/app.tsx", 'import { log } from "../../src/core/log.ts";', "web may not import core"],
    ["src/cli/serve.ts", 'const e = await import("../engines/acp.ts");', "only src/cli/main.ts chooses among engines"],
    ["src/cli/serve.ts", 'import { main } from "./main.ts";', "nobody imports the composition root"],
    ["src/cli/serve.ts", 'import { suite } from "../stores/store-contract.ts";', "only tests import tests"],
    ["src/cli/serve.ts", 'import { scripted } from "../testing/scripted.ts";', "only tests import tests"],
    ["src/elsewhere/x.ts", 'import { z } from "zod";', "belongs to no layer; add it to the table"],
  ])("finds in %s the offence of %j", (path, source, reason) => {
    const found = offences({ ...lists, [path]: source });
    expect(found).toEqual([expect.stringMatching(`^${path} -> .*: ${reason}$`)]);
  });

  test("finds nothing in what is allowed", () => {
    const allowed: Sources = {
      "src/core/log.ts": 'import { z } from "zod";\nimport { it } from "node:fs";\nimport { e } from "./errors.ts";',
      "src/stores/memory.ts": 'import { log } from "../core/log.ts";',
      "src/stores/store-contract.ts": 'import { test } from "vitest";\nimport { main } from "../cli/main.ts";',
      ...lists,
      "src/engines/acp/index.ts": 'import { kept } from "../kept-agents.ts";\nimport { wire } from "./wire.ts";',
      "src/dialects/ui.ts": 'import { fold } from "./fold.ts";\nimport { e } from "../core/errors.ts";',
      "src/dialects/acp/index.ts": 'import { calls } from "./calls.ts";\nimport { d } from "../dialect.ts";',
      "src/dialects/golden.test.ts": 'import { ui } from "./ui.ts";\nimport { encode } from "../transports/ndjson.ts";',
      "src/engines/acp.ts": 'import { encode } from "../transports/ndjson.ts";\nimport { git } from "../tools/git.ts";',
      "src/transports/sse.ts": 'import { e } from "../core/errors.ts";\nimport { l } from "./line-splitter.ts";',
      "src/transports/http.ts":
        'import type { S } from "../stores/index.ts";\nimport { d } from "../dialects/index.ts";',
      "src/clients/ui.ts":
        'import type { M } from "../dialects/ui.ts";\nimport { encode } from "../transports/ndjson.ts";',
      "web/src/app.tsx": 'import { ui } from "../../src/clients/ui.ts";\nimport { useState } from "react";',
      "src/cli/main.ts": 'import { s } from "../stores/index.ts";\nconst e = () => import("../engines/index.ts");',
    };
    expect(offences(allowed)).toEqual([]);
  });

  test("finds printing outside the command", () => {
    const print = "console.log(1)";
    expect(printing({ "src/core/log.ts": print, "src/cli/main.ts": print, "src/core/log.test.ts": print })).toEqual([
      "src/core/log.ts",
    ]);
  });

  test("finds names that are not kebab-case or say nothing", () => {
    const bad = [
      "src/core/eventLog.ts",
      "src/core/Log.ts",
      "src/core/log_file.ts",
      "src/core/file-utils.ts",
      "src/common/x.ts",
    ];
    expect(misnamed([...bad, "src/core/event-log.ts", "src/core/event-log.test.ts", "web/vite.config.ts"])).toEqual(
      bad,
    );
  });
});
