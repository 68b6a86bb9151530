import { isDeepStrictEqual } from "node:util";
import { noOneToAsk } from "./asks.ts";
import type { AgentCall, Answer, AskReply, Emitted, EngineIO, Permission, ResumeIO, Turn } from "./engine.ts";
import type { Event, EventOf, NewEvent, Question, RunResult } from "./events.ts";
import { fitForLog } from "./fit-for-log.ts";
import { openAsks } from "./only-waits.ts";
import { ownerLost } from "./owner-lost.ts";
import { isMasked } from "./redactor.ts";
import type { ToolReply } from "./tool.ts";

export interface ReplayedIO extends EngineIO {
  /** Whether the engine has come to where the log ends. Until then nothing that it says is heard. */
  readonly live: boolean;
}

/**
 * Resumes a run of an engine that does the same whenever its tools and asks give the same: it does the run over, gets from the log
 * what it got then, and goes on where it waited. Where it comes to something else, the run is lost.
 */
export async function resumeByReplay(
  turn: Turn,
  log: Event[],
  io: ResumeIO,
  run: (io: ReplayedIO) => Promise<RunResult>,
): Promise<RunResult> {
  if (isMasked(turn.input)) throw ownerLost();
  const replayed = replayedIO(log, io);
  try {
    const result = await run(replayed);
    if (replayed.live) return result;
  } catch (error) {
    if (replayed.live) throw error;
  }
  throw ownerLost();
}

/** What an engine is to do a run over with. It throws `owner_lost` where the log cannot give what the engine wants. */
export function replayedIO(log: Event[], io: ResumeIO): ReplayedIO {
  const replay = new Replay(log, io);
  return {
    get live() {
      return replay.live;
    },
    emit: (event) => replay.emit(event),
    ask: (question, timeoutMs) => replay.ask(question, timeoutMs),
    tool: (name, args) => replay.tool(name, args),
    permit: (call) => replay.permit(call),
    offeredTools: io.offeredTools,
    keep: io.keep,
    onKill: io.onKill,
    supervise: io.supervise,
    log: io.log,
  };
}

class Replay {
  readonly #io: ResumeIO;
  readonly #log: Event[];
  /** What the engine has not come to yet. */
  readonly #calls: Set<EventOf<"tool.requested">>;
  readonly #asks: Set<EventOf<"ask.opened" | "note">>;
  readonly #open: Set<EventOf<"ask.opened">>;
  #lost = false;

  constructor(log: Event[], io: ResumeIO) {
    this.#io = io;
    this.#log = log;
    this.#calls = new Set(this.#of("tool.requested"));
    this.#asks = new Set(this.#log.filter((event) => event.type === "ask.opened" || event.type === "note"));
    this.#open = new Set(openAsks(this.#log));
  }

  get live(): boolean {
    return this.#open.size === 0 && !this.#lost;
  }

  async emit(event: Emitted): Promise<void> {
    if (this.live) return this.#io.emit(event);
    if (event.type !== "tool.requested") return;
    const own = [...this.#calls].find(({ callId }) => callId === event.callId); // a call of the engine's own
    if (own) this.#calls.delete(own);
  }

  async tool(name: string, given: unknown): Promise<ToolReply> {
    const call = [...this.#calls].find((each) => this.#isCall(each, name, given));
    if (this.#lost || (!call && !this.live)) throw this.#lose();
    if (!call) return this.#io.tool(name, given);
    this.#calls.delete(call);
    const asks = this.#of("ask.opened").filter(({ callId }) => callId === call.callId);
    const finished = this.#of("tool.finished").find(({ callId }) => callId === call.callId);
    if (finished) return this.#finishedReply(finished, asks);
    const open = asks.find((ask) => this.#open.has(ask));
    if (!open) throw this.#lose();
    return this.#come(open, () => this.#io.resumeTool({ ...call, args: given }, open));
  }

  /** What an agent did cannot be done over. */
  async permit(call: AgentCall): Promise<Permission> {
    if (!this.live) throw this.#lose();
    return this.#io.permit(call);
  }

  async ask(question: Question, timeoutMs?: number): Promise<AskReply> {
    const asked = [...this.#asks].find((each) => isAsk(each, question));
    if (this.#lost || (!asked && !this.live)) throw this.#lose();
    if (!asked) return this.#io.ask(question, timeoutMs);
    this.#asks.delete(asked);
    if (asked.type === "note") return { outcome: "denied", reason: "no_one_to_ask" };
    const closed = this.#closing(asked);
    if (!closed) return this.#come(asked, () => this.#io.reply(asked.askId));
    if (closed.outcome !== "answered") return { outcome: closed.outcome };
    const answer = await this.#answer(closed);
    if (answer === undefined) throw this.#lose(); // it was a secret
    return { outcome: "answered", answer };
  }

  /** From the last open ask on, the engine is where it was. */
  async #come<T>(open: EventOf<"ask.opened">, reply: () => Promise<T>): Promise<T> {
    this.#open.delete(open);
    const given = await reply();
    if (!this.live) await new Promise((resolve) => setImmediate(resolve)); // it may be on its way to the others
    if (!this.live) throw this.#lose();
    return given;
  }

  async #finishedReply(finished: EventOf<"tool.finished">, asks: EventOf<"ask.opened">[]): Promise<ToolReply> {
    const { callId, error } = finished;
    if (!error) {
      const result = await this.#whole(finished.result, `result of ${callId}`);
      const diff = await this.#whole(finished.diff, `diff of ${callId}`);
      return { outcome: "done", callId, result, diff: diff as string | undefined };
    }
    const { code, message } = error;
    if (code !== "denied") return { outcome: "failed", callId, code, message };
    const last = asks.map((ask) => this.#closing(ask)).at(-1);
    const answer = last && (await this.#answer(last));
    return { outcome: "denied", callId, message, goOn: !(answer && saidOnlyNo(answer)) };
  }

  async #answer({ answer, askId }: EventOf<"ask.closed">): Promise<Answer | undefined> {
    return (await this.#whole(answer, `answer of ${askId}`)) as Answer | undefined;
  }

  /** A value as it was, also where the event has no room for it. One that had a secret in it is not to be had any more. */
  async #whole(inEvent: unknown, name: string): Promise<unknown> {
    const kept = this.#of("artifact.created").find((artifact) => artifact.name === name);
    const bytes = kept && (await this.#io.log.artifact(kept.artifactId));
    if (kept && !bytes) throw this.#lose();
    const text = bytes && Buffer.from(bytes).toString();
    const value = text !== undefined && kept?.kind === "json" ? JSON.parse(text) : (text ?? inEvent);
    if (isMasked(value)) throw this.#lose();
    return value;
  }

  #isCall(logged: EventOf<"tool.requested">, name: string, given: unknown): boolean {
    if (logged.tool !== name) return false;
    return [this.#io.loggedArgs(name, given), given].some((args) => isLogged(logged, { ...unplaced(logged), args }));
  }

  #closing({ askId }: EventOf<"ask.opened">): EventOf<"ask.closed"> | undefined {
    return this.#of("ask.closed").find((closed) => closed.askId === askId);
  }

  #of<T extends Event["type"]>(type: T): EventOf<T>[] {
    return this.#log.filter((event): event is EventOf<T> => event.type === type);
  }

  /** An engine that goes on in spite of it is not heard any more. */
  #lose(): Error {
    this.#lost = true;
    return ownerLost();
  }
}

function saidOnlyNo(answer: Answer): boolean {
  if ("ok" in answer) return !answer.ok && !answer.reason;
  return "success" in answer && !answer.success && !answer.userMessage;
}

function isAsk(logged: EventOf<"ask.opened" | "note">, question: Question): boolean {
  if (logged.type === "note") return logged.source === "core" && logged.text === noOneToAsk(question.title);
  const { runId, askId, expiresAt } = logged;
  return isLogged(logged, { type: "ask.opened", runId, askId, expiresAt, ...question });
}

/** Whether this is what the event would be in the log. */
function isLogged(logged: Event, event: NewEvent): boolean {
  const { events } = fitForLog(JSON.parse(JSON.stringify(event)));
  return isDeepStrictEqual(events.at(-1), unplaced(logged));
}

function unplaced<T extends Event>({ seq, at, ...event }: T): Omit<T, "seq" | "at"> {
  return event;
}
