import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { StubModel } from "../stub-model/index.ts";
import { ServeProcess } from "./serve-process.ts";

/** `dragoman serve` as users have it, with Copilot for its engine and the stub for Copilot's model. */
export function serveCopilot(folder: string, stub: Pick<StubModel, "url">): Promise<ServeProcess> {
  const place = { home: join(folder, "home"), workspace: join(folder, "workspace") };
  for (const path of Object.values(place)) mkdirSync(path, { recursive: true });
  const args = ["--announce", "--until-stdin-ends", "--port", "0", "--engine", "copilot", "--log-level", "warn"];
  const env = {
    DRAGOMAN_COPILOT_BASE_URL: `${stub.url}/v1`,
    DRAGOMAN_COPILOT_MODEL: "stub-model",
    DRAGOMAN_COPILOT_HOME: join(folder, "copilot"),
  };
  return new ServeProcess(place, args, env).ready();
}
