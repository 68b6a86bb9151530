import { DragomanError } from "../../core/errors.ts";
import type { AgentExit } from "../agent-process.ts";

export function notLoggedIn(): DragomanError {
  const login = "Log in with `npx @github/copilot login`, or set GH_TOKEN";
  const own = "or give it a model of your own with DRAGOMAN_COPILOT_BASE_URL and DRAGOMAN_COPILOT_MODEL";
  return new DragomanError("engine_auth", `Copilot is not logged in. ${login}, ${own}. See also: dragoman agents`);
}

export function noModel(baseUrl: string): DragomanError {
  const message = `Which model of ${baseUrl} is Copilot to use? Choose one with --model or DRAGOMAN_COPILOT_MODEL.`;
  return new DragomanError("invalid_params", message);
}

/** The runtime is gone, and nobody had ended it. */
export function runtimeDied({ code, signal }: AgentExit, lastWords: string): DragomanError {
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  const words = lastWords === "" ? "" : ` It said: ${lastWords}`;
  const message = `Copilot's runtime ended ${how} in the middle of its work. The next prompt starts it anew.${words}`;
  return new DragomanError("engine_failed", message, { code, signal });
}
