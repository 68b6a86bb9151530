import { isTerminal } from "../../../core/event-facts.ts";
import type { Event, EventOf } from "../../../core/events.ts";
import { foldStart } from "../../../core/landmarks.ts";
import type { Store } from "../../../core/store.ts";
import { ui } from "../index.ts";
import { type Message, PROMPT_SEQ } from "../messages.ts";

const PAGE = 500;

interface Past {
  store: Store;
  sessionId: string;
  profile: Record<string, unknown>;
  /** The last event that belongs to it; what comes later is sent live. */
  until: number;
}

interface HistoryOptions extends Past {
  maxRuns: number;
  maxEvents: number;
  send(json: string): void;
  /** Resolves when there is room to send more. */
  room(): Promise<void>;
}

export interface HistorySent {
  runs: number;
  eventsSent: number;
  truncated: boolean;
}

/** Sends the latest runs as the UI drew them, each behind its prompt. Where there is too much, the oldest is left out. */
export async function sendHistory(options: HistoryOptions): Promise<HistorySent> {
  const { maxRuns, maxEvents } = options;
  const starts = await latestRuns(options, maxRuns + 1); // one more, to know whether there are more
  if (maxRuns === 0 || maxEvents === 0) return { runs: 0, eventsSent: 0, truncated: starts.length > 0 };
  const wanted = starts.slice(-maxRuns);
  let from = wanted.length;
  let count = 0;
  while (from > 0 && count < maxEvents) count += await countEvents(options, wanted, --from);
  const skipped = Math.max(0, count - maxEvents);
  const runs = wanted.slice(from);
  const eventsSent = await sendRuns(options, runs, skipped);
  return { runs: runs.length, eventsSent, truncated: runs.length < starts.length || skipped > 0 };
}

/** Where they begin in the log, the oldest first. */
async function latestRuns({ store, sessionId, until }: HistoryOptions, count: number): Promise<number[]> {
  const starts: number[] = [];
  let before = until + 1;
  while (starts.length < count) {
    const limit = Math.min(count - starts.length, PAGE);
    const page = await store.read(sessionId, { before, limit, type: "run.started" });
    for (const { seq } of page.toReversed()) starts.push(seq);
    if (page.length === 0) break;
    before = page[0]?.seq ?? 0;
  }
  return starts.reverse();
}

async function countEvents(options: HistoryOptions, starts: number[], at: number): Promise<number> {
  const next = starts[at + 1];
  let count = 0;
  for await (const _ of agentEvents(options, starts[at] ?? 1, next === undefined ? options.until : next - 1)) count++;
  return count;
}

async function sendRuns(options: HistoryOptions, [first]: number[], skipped: number): Promise<number> {
  if (first === undefined) return 0;
  let left = skipped;
  let sent = 0;
  for await (const json of agentEvents(options, first, options.until)) {
    if (left-- > 0) continue;
    options.send(json);
    await options.room();
    sent++;
  }
  return sent;
}

/** What a UI draws, with the number each had when it was live. */
async function* agentEvents(options: HistoryOptions, from: number, until: number): AsyncGenerator<string> {
  for await (const { event, messages } of folded(options, from, until)) {
    yield* promptOf(event, options.sessionId);
    for (const { message, text } of messages) if (message.method === "agent.event") yield text;
  }
}

/** What the UI was last told of how the run under way is doing, and its model: a history does not say it. */
export async function statusOfRun({ until, ...past }: Past): Promise<string | undefined> {
  const from = await foldStart(past.store, past.sessionId, until);
  let run: EventOf<"run.started"> | undefined;
  let status: Message | undefined;
  for await (const { event, messages } of folded(past, from, until)) {
    if (event.type === "run.started") run = event;
    else if (isTerminal(event) && event.runId === run?.runId) run = undefined;
    for (const { message } of messages) if (isStatus(message) && message.params.run_id === run?.runId) status = message;
  }
  return run && status && JSON.stringify({ ...status, params: { ...status.params, model: run.model } });
}

const isStatus = (message: Message) => message.method === "run.status";

type Told = { event: Event; messages: { message: Message; text: string }[] };

async function* folded(past: Omit<Past, "until">, from: number, until: number): AsyncGenerator<Told> {
  const { store, sessionId, profile } = past;
  const fold = ui.fold(sessionId, profile);
  let after = from - 1;
  while (after < until) {
    const page = await store.read(sessionId, { after, limit: PAGE });
    if (page.length === 0) return;
    for (const event of page) {
      if (event.seq > until) return;
      after = event.seq;
      yield { event, messages: fold.push(event) as Told["messages"] };
    }
  }
}

function* promptOf(event: Event, session_id: string): Generator<string> {
  if (event.type !== "run.started") return;
  const { runId: run_id, seq: log_seq, input, model } = event;
  const said = { type: "hidden_user_message", content: input.text };
  const meta = model === undefined ? undefined : { model };
  yield JSON.stringify({
    jsonrpc: "2.0",
    method: "agent.event",
    params: { run_id, session_id, log_seq, seq: PROMPT_SEQ, event: said, meta },
  });
}
