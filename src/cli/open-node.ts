import { DragomanError } from "../core/errors.ts";
import { dataFolder } from "../tools/data-folder.ts";
import type { Parts } from "./parts.ts";

/** A short value would be found, and masked, in any text. */
const SHORTEST_SECRET = 8;

export interface Chosen {
  engine?: string;
  model?: string;
}

/** One node on the user's log: the engines, the tools under the rules of the workspace, and what is configured for it. */
export async function openNode(parts: Parts, workspace: string, chosen: Chosen) {
  const [{ Runtime }, { tools }, { readConfiguration }, { fileRuleBook }, { isSecretName }, { Views }] =
    await Promise.all([
      import("../core/runtime.ts"),
      import("../tools/index.ts"),
      import("../config/configuration.ts"),
      import("../config/rule-book.ts"),
      import("../tools/process-environment.ts"),
      import("../dialects/views.ts"),
    ]);
  const home = dataFolder();
  const { warnings, ...configured } = await readConfiguration({ workspace, home, env: process.env });
  for (const { file, line, column, message } of warnings) {
    process.stderr.write(`${file}:${line}:${column}: ${message}\n`);
  }
  const engines = await parts.engines();
  const engine = chosen.engine ?? configured.engine?.value ?? "builtin";
  if (!engines.some(({ name }) => name === engine)) {
    const known = engines.map(({ name }) => name).join(", ");
    throw new DragomanError("engine_unavailable", `There is no engine "${engine}" here. There is: ${known}.`);
  }
  const store = await parts.openStore();
  const ruleBook = fileRuleBook({ home });
  const secrets = secretsIn(process.env, isSecretName);
  const runtime = new Runtime({ store, engines, tools, ruleBook, secrets });
  return {
    store,
    runtime,
    views: new Views(runtime.store),
    engine,
    model: chosen.model ?? configured.model?.value,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
  };
}

function secretsIn(env: NodeJS.ProcessEnv, isSecretName: (name: string) => boolean): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    isSecretName(name) && value && value.length >= SHORTEST_SECRET ? [value] : [],
  );
}
