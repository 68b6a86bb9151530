import type { Answer } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import type { EventOf } from "../core/events.ts";
import { endOfRun } from "../core/landmarks.ts";
import type { Runtime } from "../core/runtime.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import type { Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { isUnderWay } from "../core/summary.ts";
import { shownQuestion } from "../dialects/question.ts";
import { findSession } from "./find-session.ts";
import type { Signals } from "./leave.ts";
import { openAsks } from "./session-state.ts";
import { sayingWhomItWaitsFor } from "./silent-owner.ts";
import { answerFromLine } from "./terminal/answer-line.ts";
import { oneLine, shortId } from "./terminal/wording.ts";
import { byCommand } from "./terminal-session.ts";

export interface AnswerOptions {
  runtime: Runtime;
  /** By its id or the beginning of it. */
  session: string;
  /** What to say; nothing, if it is read from stdin. */
  words: string[];
  /** Of a no. */
  reason?: string;
  /** Which ask, by its id or the beginning of it. */
  ask?: string;
  /** The first line of stdin, without a line end; it is not shown. */
  readSecret(): Promise<string | undefined>;
  /** Tells what was done. */
  say(line: string): void;
  /** Tells what it is waiting for. */
  note(line: string): void;
  signals: Signals;
}

const us = byCommand("answer");

/** Answers an ask of a session, whichever process has it. Resolves with the exit code of the process. */
export async function answer(options: AnswerOptions): Promise<number> {
  const { runtime, say, note } = options;
  const { store } = runtime;
  const summary = await findSession(store, options.session);
  const ask = await chosenAsk(store, summary, options.ask);
  const given = await givenAnswer(ask, options);
  const { sessionId } = summary;
  const handle = await runtime.open(sessionId);
  await sayingWhomItWaitsFor(handle.answer(ask.askId, given, us), { runtime, sessionId, note });
  say(`answered: ${oneLine(shownQuestion(ask).title)}`);
  const owner = await store.nodes.owner(sessionId);
  return owner?.node === runtime.node ? goOn(handle, ask.runId, options) : 0;
}

/** Its process is gone, and the run goes on in this one, to its end. */
async function goOn(handle: SessionHandle, runId: string, { runtime, say, signals }: AnswerOptions): Promise<number> {
  let interrupted: number | undefined;
  say("its process is gone: the run goes on here until its end; ctrl-c cancels it");
  signals.first = (code) => {
    interrupted = code;
    say("cancelling the run; ctrl-c again leaves at once");
    handle.cancel(runId, "interrupted", us).catch(() => {}); // it has ended by itself
  };
  try {
    await handle.settled();
  } finally {
    signals.first = undefined;
  }
  const end = await endOfRun(runtime.store, handle.id, runId);
  say(`the run has ended: ${end ?? "it is not known how"}`);
  return interrupted ?? 0;
}

async function chosenAsk(
  store: Store,
  summary: SessionSummary,
  wanted: string | undefined,
): Promise<EventOf<"ask.opened">> {
  const { sessionId } = summary;
  const open = openAsks(summary);
  const id = shortId(sessionId);
  const fitting = wanted === undefined ? open : open.filter(({ askId }) => askId.startsWith(wanted.toLowerCase()));
  const [only, ...others] = fitting;
  const list = open.map(({ askId, title }) => `  ${shortId(askId)}  ${oneLine(title)}`).join("\n");
  if (open.length === 0) {
    const running = isUnderWay(summary) ? "The run under way asks nothing" : "Nothing is running";
    throw new DragomanError("ask_not_found", `${running} in session ${id}: there is nothing to answer.`);
  }
  if (!only)
    throw new DragomanError(
      "ask_not_found",
      `There is no open ask ${oneLine(wanted ?? "")} in session ${id}:\n${list}`,
    );
  if (others.length > 0) {
    throw new DragomanError("invalid_params", `Which one? Say it with --ask and the beginning of its id:\n${list}`);
  }
  const [event] = await store.read(sessionId, { after: only.seq - 1, limit: 1 });
  if (event?.type !== "ask.opened") throw new DragomanError("ask_not_found", "The ask is not in the log any more.");
  return event;
}

async function givenAnswer(ask: EventOf<"ask.opened">, options: AnswerOptions): Promise<Answer> {
  const { words, reason, readSecret } = options;
  if (ask.secret) {
    if (words.length > 0) {
      throw new DragomanError(
        "invalid_params",
        "It is a secret: give it on stdin, where no list of processes shows it.",
      );
    }
    const value = await readSecret();
    if (value === undefined) throw new DragomanError("invalid_params", "There was nothing on stdin.");
    return { value };
  }
  const said = words.length === 0 ? undefined : answerFromLine(words.join(" "), ask);
  if (!said) throw new DragomanError("invalid_params", howToAnswer(ask));
  if (reason === undefined) return said;
  if (!("ok" in said) || said.ok) throw new DragomanError("invalid_params", "--reason goes with a no.");
  return { ...said, reason };
}

function howToAnswer(ask: EventOf<"ask.opened">): string {
  const question = shownQuestion(ask);
  const { kind, items = [], multi, allowText, allowRemember } = question;
  const choices = items.map(({ id, label }, at) => `  ${at + 1}. ${oneLine(label)} (${oneLine(id)})`);
  const own = allowText ? ", or it in your own words" : "";
  const words = {
    confirm: allowRemember ? "yes, no, or always" : "yes or no",
    prompt: "the text",
    pick: (multi ? "numbers, ids or labels, with commas between them" : "a number, an id or a label") + own,
    tool: "",
  }[kind];
  return [oneLine(question.title), ...choices, `Behind the session's id say ${words}.`].join("\n");
}
