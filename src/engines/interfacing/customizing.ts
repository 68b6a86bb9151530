import { DragomanError } from "../../core/errors.ts";
import type { RunResult } from "../../core/events.ts";
import { versionsIn, wholeVersion } from "../../core/versions.ts";
import type { Customized } from "../../generator/customizing/customize.ts";
import type { Said } from "../../generator/customizing/interpret.ts";
import { byModel } from "./by-model.ts";
import { type CustomizeArgs, checked, checkSize, customizeRequest, revertRequest } from "./requests.ts";
import { type Stage, step } from "./stage.ts";
import { unansweredIn } from "./unanswered.ts";
import { worked } from "./worked.ts";

/** Changes an interface as a person's words say: by the grammar, or by a model where that does not understand them. */
export async function customizeInterface(stage: Stage): Promise<RunResult> {
  const { turn, signal, adviser } = stage;
  const args = checked(customizeRequest, turn.input.args);
  const prompt = turn.input.text;
  if (prompt.trim() === "")
    throw new DragomanError("invalid_params", "prompt: is empty. Say what should be otherwise.");
  const { code, version } = await codeOf(stage, args);
  const history = args.history.length > 0 ? args.history : await unansweredIn(stage.io.log, turn.runId);
  checkSize(code, history);
  const request = { code, prompt, history: history as Said[] };
  const customized = await step(stage, 1, "Reading the request", () => worked(signal, "customize", request));
  const isBeyond = customized.kind === "declined" && adviser !== undefined;
  return resultOf(isBeyond ? await byModel(stage, adviser, request) : customized, version);
}

/** What the host shows, or else what the session has. */
async function codeOf(
  { io }: Stage,
  { currentCode, version }: CustomizeArgs,
): Promise<{ code: string; version?: number }> {
  if (currentCode !== undefined && version === undefined) return { code: currentCode };
  const found = await wholeVersion(io.log, version);
  if (found) return { code: found.result.code, version: found.version };
  throw new DragomanError("invalid_params", await whichVersions(io.log, version));
}

async function whichVersions(log: Stage["io"]["log"], version: number | undefined): Promise<string> {
  const last = (await versionsIn(log)).length;
  if (last === 0) return "currentCode: is missing, and the session has no interface yet. Generate one first.";
  return `There is no version ${version}. The session has versions 1 to ${last}.`;
}

function resultOf(customized: Customized, version: number | undefined): RunResult {
  if (customized.kind === "declined") throw new DragomanError("customization_failed", customized.message);
  if (customized.kind === "question") {
    const { question, options } = customized;
    return { text: question, description: question, data: { clarificationNeeded: true, question, options } };
  }
  const { code, description, assumptions } = customized;
  return {
    text: description,
    description,
    code,
    data: { assumptions, clarificationNeeded: false, ...(version ? { of: version } : {}) },
  };
}

/** An earlier version once more, as the newest. */
export async function revertInterface({ turn, io }: Stage): Promise<RunResult> {
  const { version } = checked(revertRequest, turn.input.args);
  const found = await wholeVersion(io.log, version);
  if (!found) throw new DragomanError("invalid_params", await whichVersions(io.log, version));
  const description = `Back to version ${version}: ${found.description}`;
  return { text: description, description, code: found.result.code, data: { of: version } };
}
