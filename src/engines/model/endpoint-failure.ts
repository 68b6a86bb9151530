import { DragomanError, messageOf } from "../../core/errors.ts";
import { modelFailure, plainError } from "../agent-failure.ts";
import { type ModelOptions, shownAddress } from "./model-options.ts";

const LONGEST_WORDS = 1000;
const LONGEST_REASON = 300;

/** As servers of local models say it. */
const tooLarge = /context[ _]size/i;

interface Refusal {
  status: number;
  statusText: string;
  body: string;
  /** When its server says to come back. */
  retryAfterMs?: number;
}

/** What a server said instead of an answer, as the failure of a run. */
export function refused(options: ModelOptions, { status, statusText, body, retryAfterMs }: Refusal): DragomanError {
  const words = wordsIn(body) ?? (statusText || `HTTP ${status}`);
  const model = modelAt(options);
  if (status === 401 || status === 403) {
    return new DragomanError("engine_auth", `${model}: ${words} — ${aboutKey(options)}`, { status });
  }
  if (status === 429 && retryAfterMs !== undefined) {
    const when = `try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s, or choose another model.`;
    return new DragomanError("rate_limited", `${model}: ${words} — ${when}`, { status, retryAfterMs });
  }
  if (status === 404) {
    const check = "check the address, which mostly ends with /v1, and the name of the model.";
    return new DragomanError("engine_failed", `${model}: ${words} — ${check}`, { status });
  }
  if (status >= 500) {
    const check = "its server is in trouble; try again later, or look at what it logs.";
    return new DragomanError("engine_unavailable", `${model}: ${words} (${status}) — ${check}`, { status });
  }
  return saidFailure(options, words, status);
}

/** What was said to be wrong, be it in the middle of an answer. */
export function saidFailure(options: ModelOptions, words: string, status?: number): DragomanError {
  const told = words.slice(0, LONGEST_WORDS);
  if (tooLarge.test(told)) {
    const less = "start a new session, or ask for less at once.";
    return new DragomanError("context_too_large", `${modelAt(options)}: ${told} — ${less}`, { status });
  }
  const failure = modelFailure(modelAt(options), told, status);
  if (failure.code !== "engine_failed") return failure;
  const { code, message, data } = failure;
  return new DragomanError(code, `${message} — ask in another way, or choose another model.`, data);
}

/** Nobody is there, or not who was expected. */
export function unreachable(options: ModelOptions, error: unknown): DragomanError {
  const why = reasonOf(error);
  const check = "check that it is running, and that DRAGOMAN_MODEL_BASE_URL or modelEndpoint.baseUrl is its address.";
  // Without a cause: by that the SDK would take it for an error of its own, and wrap it.
  return new DragomanError("engine_unavailable", `${modelAt(options)} cannot be reached (${why}) — ${check}`);
}

/** The answer ended, and not by an end of its own. */
export function cutOff(options: ModelOptions, hasBegun: boolean, error: unknown): DragomanError {
  const message = hasBegun
    ? `${modelAt(options)} broke off in the middle of its answer (${reasonOf(error)}). What it said until then is not all of it. Ask again.`
    : `${modelAt(options)} gave no answer that could be read (${reasonOf(error)}) — check that chat completions are served at this address.`;
  return new DragomanError("engine_failed", message, undefined, { cause: error });
}

export function noAnswer(options: ModelOptions): DragomanError {
  return new DragomanError("engine_failed", `${modelAt(options)} ended without a word of an answer. Ask again.`);
}

export function noModel(options: ModelOptions): DragomanError {
  const which = "Choose one with --model, DRAGOMAN_MODEL_NAME or modelEndpoint.model.";
  const message = `Which model of ${shownAddress(options)} is to answer? It did not say which it has. ${which}`;
  return new DragomanError("invalid_params", message);
}

export const modelAt = (options: ModelOptions): string => `The model at ${shownAddress(options)}`;

function aboutKey({ apiKey, apiKeyVariable }: ModelOptions): string {
  return apiKey === undefined
    ? `set ${apiKeyVariable} to its key.`
    : `the key in ${apiKeyVariable} is not the right one for it, or may not do this.`;
}

/** A page of HTML tells nobody anything. */
function wordsIn(body: string): string | undefined {
  const words = plainError(body).trim();
  return words === "" || words.startsWith("<") ? undefined : words.slice(0, LONGEST_WORDS);
}

/** What went wrong in the end: the outer errors only say that something did. */
function reasonOf(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause instanceof Error) last = last.cause;
  const message = messageOf(last).slice(0, LONGEST_REASON);
  const { code } = last as { code?: unknown };
  return message || (typeof code === "string" ? code : "it is not known why");
}
