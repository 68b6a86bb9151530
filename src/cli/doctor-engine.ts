import { readConfiguration } from "../config/configuration.ts";
import { usualEngine } from "./chosen.ts";
import { type Finding, ok, problem } from "./doctor-finding.ts";
import type { Parts } from "./parts.ts";

const ABOUT = "engine";

export interface Folder {
  workspace: string;
  /** Dragoman's data folder. */
  home: string;
  env: NodeJS.ProcessEnv;
}

/** Whether what is chosen to do the work can do it; nothing of it is started. */
export async function examineEngine(
  { workspace, home, env }: Folder,
  parts: Pick<Parts, "engines" | "missing">,
): Promise<Finding[]> {
  const configuration = await readConfiguration({ workspace, home, env }).catch(() => undefined);
  if (!configuration) return []; // what is wrong with it is told elsewhere
  const { engine, by } = usualEngine(configuration);
  const names = (await parts.engines(workspace, configuration)).map(({ name }) => name);
  const others = names.filter((name) => name !== engine);
  const also = others.length > 0 ? `; also here: ${others.join(", ")}` : "";
  const missing = await parts.missing(engine, workspace, configuration);
  if (names.includes(engine) && missing === undefined) {
    return [ok(ABOUT, `new sessions are with ${engine}, ${by}${also}`)];
  }
  const mend = missing ?? "Choose another one of dragoman agents.";
  return [problem(ABOUT, `New sessions are to be with ${engine}, ${by}, and that is not here.`, mend)];
}
