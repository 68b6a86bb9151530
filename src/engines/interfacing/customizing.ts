import { DragomanError } from "../../core/errors.ts";
import type { RunResult } from "../../core/events.ts";
import { versionsIn, type WholeVersion, wholeVersion } from "../../core/versions.ts";
import { backWanted, type CustomizeRequest } from "../../generator/customizing/customize.ts";
import type { Said } from "../../generator/customizing/interpret.ts";
import { byModel, type Outcome } from "./by-model.ts";
import { type CustomizeArgs, checked, checkSize, customizeRequest, revertRequest } from "./requests.ts";
import { type Stage, step } from "./stage.ts";
import { takenBack } from "./taking-back.ts";
import { unansweredIn } from "./unanswered.ts";
import { worked } from "./worked.ts";

/** Changes an interface as a person's words say: by the grammar, or by a model where that does not understand them. */
export async function customizeInterface(stage: Stage): Promise<RunResult> {
  const { turn, io, adviser } = stage;
  const args = checked(customizeRequest, turn.input.args);
  const prompt = turn.input.text;
  if (prompt.trim() === "")
    throw new DragomanError("invalid_params", "prompt: is empty. Say what should be otherwise.");
  const { code, version } = await codeOf(stage, args);
  const unanswered = await unansweredIn(io.log, turn.runId);
  const history = args.history.length > 0 ? args.history : unanswered.said;
  checkSize(code, history);
  const back = version && (await takenBack(io.log, prompt, version));
  if (back)
    return resultOf({ kind: "changed", assumptions: [], wishes: [], ...back }, version, { restores: back.restores });
  const request = { code, prompt, history: history as Said[] };
  const answersModel = adviser && unanswered.isModels && isLastOf(history, unanswered.said.at(-1)?.content ?? "");
  const customized = answersModel ? await byModel(stage, adviser, request) : await byWords(stage, request);
  return resultOf(customized, version, backWanted(prompt) === "one" ? { takesBack: true } : {});
}

async function byWords(stage: Stage, request: CustomizeRequest): Promise<Outcome> {
  const { signal, adviser } = stage;
  const customized = await step(stage, 1, "Reading the request", () => worked(signal, "customize", request));
  const isBeyond = customized.kind === "declined" && !customized.isFinal;
  return isBeyond && adviser ? byModel(stage, adviser, request) : customized;
}

/** A host may send what was said in its own words around it. */
function isLastOf(history: { role: string; content: string }[], question: string): boolean {
  const last = history.at(-1);
  return last?.role === "assistant" && last.content.includes(question);
}

/** What the host shows, or else what the session has; with its version, if it is one that is known. */
async function codeOf(
  { io }: Stage,
  { currentCode, version }: CustomizeArgs,
): Promise<{ code: string; version?: WholeVersion }> {
  const found = await wholeVersion(io.log, version);
  if (currentCode !== undefined && version === undefined) {
    return { code: currentCode, version: found?.result.code === currentCode ? found : undefined };
  }
  if (found) return { code: found.result.code, version: found };
  throw new DragomanError("invalid_params", await whichVersions(io.log, version));
}

async function whichVersions(log: Stage["io"]["log"], version: number | undefined): Promise<string> {
  const last = (await versionsIn(log)).length;
  if (last === 0) return "currentCode: is missing, and the session has no interface yet. Generate one first.";
  return `There is no version ${version}. The session has versions 1 to ${last}.`;
}

function resultOf(customized: Outcome, changed: WholeVersion | undefined, more: Record<string, unknown>): RunResult {
  if (customized.kind === "declined") throw new DragomanError("customization_failed", customized.message);
  if (customized.kind === "question") {
    const { question, options, isModels = false } = customized;
    const data = { clarificationNeeded: true, question, options, isModels };
    return { text: question, description: question, data };
  }
  const { code, description, assumptions } = customized;
  const of = changed ? { of: changed.version } : {};
  const data = { assumptions, clarificationNeeded: false, ...of, ...more };
  return { text: description, description, code, data };
}

/** An earlier version once more, as the newest. */
export async function revertInterface({ turn, io }: Stage): Promise<RunResult> {
  const { version } = checked(revertRequest, turn.input.args);
  const found = await wholeVersion(io.log, version);
  if (!found) throw new DragomanError("invalid_params", await whichVersions(io.log, version));
  const description = `Back to version ${version}: ${found.description}`;
  return { text: description, description, code: found.result.code, data: { of: version } };
}
