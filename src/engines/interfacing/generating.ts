import { DragomanError } from "../../core/errors.ts";
import type { RunResult } from "../../core/events.ts";
import { cut } from "../../core/fit-for-log.ts";
import { latestWithBase } from "../../core/versions.ts";
import type { GenerateOptions } from "../../generator/generate.ts";
import { checked, type GenerateRequest, generateRequest } from "./requests.ts";
import { type Stage, step } from "./stage.ts";
import type { Before, GenerateDone, Source } from "./work.ts";
import { worked } from "./worked.ts";

const SHOWN_WARNINGS = 5;
const SHOWN_CONFLICTS = 5;
/** A chunk is about as much as a reader takes in one go, so that what is made is seen to grow. */
const CHUNK = 32 * 1024;

/** Makes an interface from a description; what was wished for in the one before holds in the new one, as far as it can. */
export async function generateInterface(stage: Stage): Promise<RunResult> {
  const { turn, io, signal } = stage;
  const request = checked(generateRequest, turn.input.args);
  const source = sourceOf(request);
  const before = request.fresh ? undefined : await beforeOf(stage, request);
  const made = await step(stage, 1, titleOf(request), () =>
    worked(signal, "generate", { source, options: optionsOf(request), before }),
  ).catch((error: unknown) => {
    throw error instanceof DragomanError
      ? error
      : new DragomanError("generation_failed", `The interface could not be made: ${error}`);
  });
  const done = made.edits
    ? await step(stage, 2, "Checking what was changed in the code", () => withFittingEdits(made, signal))
    : made;
  for (const { place, message } of done.warnings.slice(0, SHOWN_WARNINGS))
    await io.emit({ type: "note", level: "warning", text: `${place}: ${message}`, source: "generator" });
  await step(stage, made.edits ? 3 : 2, `Writing ${done.componentCount} screens`, () => streamed(stage, done.code));
  return resultOf(done, before !== undefined);
}

/** What no longer fits into the new code is left out, as a whole, and told. */
async function withFittingEdits(made: GenerateDone, signal: AbortSignal): Promise<GenerateDone> {
  const { interfaceCheck } = await import("../../checking/check-interface.ts");
  const [problem] = await interfaceCheck(made.unedited)(made.code, signal);
  if (!problem) return made;
  const why = `With it the new interface would not work, so it was left out. ${problem.message}`;
  const conflicts = [...made.conflicts, { said: "what was changed in the code", why }];
  return { ...made, code: made.unedited, edits: undefined, conflicts };
}

async function streamed({ io, signal }: Stage, code: string): Promise<void> {
  for (let from = 0; from < code.length; ) {
    signal.throwIfAborted();
    const text = cut(code.slice(from, from + CHUNK), CHUNK);
    await io.emit({ type: "text.delta", text, of: "code", language: "tsx" });
    from += text.length;
  }
}

function sourceOf({ spec, source }: GenerateRequest): Source {
  if (source) return source;
  if (spec) return { spec };
  throw new DragomanError("invalid_params", "spec: is missing");
}

const titleOf = ({ spec, source }: GenerateRequest) => {
  const { title } = (spec?.metadata ?? {}) as { title?: unknown };
  return `Understanding ${typeof title === "string" ? title : (source?.name ?? "the description")}`;
};

/** What another system would call its look is taken for the usual one. */
function optionsOf({ theme, options = {} }: GenerateRequest): Omit<GenerateOptions, "customizations"> {
  const { layout, includeAuth, pagination, corrections } = options;
  return {
    theme: theme === "dark" || theme === "system" ? theme : "light",
    layout: layout === "top" ? "top" : "side",
    includeAuth,
    pagination,
    corrections,
  };
}

/** What the host shows, or else what the session has. */
async function beforeOf({ io }: Stage, { currentCode }: GenerateRequest): Promise<Before | undefined> {
  const { latest, base } = (await latestWithBase(io.log)) ?? {};
  const code = currentCode ?? latest?.result.code;
  if (code === undefined) return undefined;
  return { code, generated: base && { code: base.result.code, edits: base.data.edits } };
}

function resultOf(done: GenerateDone, isAgain: boolean): RunResult {
  const { code, componentCount, kept, conflicts, edits, warnings } = done;
  const description = isAgain ? `${done.description}.${keptWords(done)}` : done.description;
  const data = {
    componentCount,
    warnings: warnings.length,
    ...(isAgain ? { kept, conflicts } : {}),
    ...(edits ? { edits } : {}),
  };
  return { text: description, description, code, data };
}

function keptWords({ kept, conflicts }: GenerateDone): string {
  const held = kept > 0 ? ` ${kept} ${kept === 1 ? "customization holds" : "customizations hold"} in it, too.` : "";
  if (conflicts.length === 0) return held;
  const told = conflicts.slice(0, SHOWN_CONFLICTS).map(({ said, why }) => `“${said}”: ${why}`);
  const more = conflicts.length > SHOWN_CONFLICTS ? ` And ${conflicts.length - SHOWN_CONFLICTS} more.` : "";
  return `${held} These no longer fit: ${told.join(" ")}${more}`;
}
