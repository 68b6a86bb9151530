import { DragomanError } from "../core/errors.ts";
import type { EventOf } from "../core/events.ts";
import { plainText } from "../core/plain-text.ts";
import type { Runtime } from "../core/runtime.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import type { SessionSummary } from "../core/summary.ts";
import type { Dialect, Frame, NumberedFrame } from "../dialects/dialect.ts";
import { Feed } from "../dialects/feed.ts";
import { profileOf } from "../dialects/profile-of.ts";
import { Views } from "../dialects/views.ts";
import { Columns, colours, noColours, type Paint } from "./columns.ts";
import type { Keys } from "./keys.ts";
import { INTERRUPTED } from "./leave.ts";

export interface DemoOptions {
  runtime: Runtime;
  left: Dialect;
  right: Dialect;
  prompt: string;
  /** Where the log is kept, to be told at the end. */
  place: string;
  keys: Keys;
  /** Ends the process before the demo has ended. */
  leave(code: number): void;
  out: NodeJS.WritableStream & { columns?: number; isTTY?: boolean };
  colour: boolean;
}

/** The two streams meet at the events they came of; a row is drawn when both had the time to say something of it. */
const ROW_DELAY_MS = 30;

/**
 * Plays a recorded run on two protocols at once. The ask in it is real: it waits for whoever reads. Resolves with the exit code
 * of the process.
 */
export async function demo(options: DemoOptions): Promise<number> {
  const { runtime, left, right, prompt, keys, leave, out, colour } = options;
  const paint = colour ? colours : noColours;
  const screen = new Columns(left.name, right.name, out.isTTY ? (out.columns ?? 80) : Number.POSITIVE_INFINITY, paint);
  const say = (text: string) => out.write(text);
  say(heading(prompt, screen, paint));

  const session = await runtime.create({ workspace: process.cwd(), engine: "replay", title: "Demo" });
  const detach = session.attach(["confirm"]);
  keys.onNobody(detach);
  const drawing = new Drawing(new Views(runtime.store), session.id, [left, right], (a, b) => say(screen.rows(a, b)));
  const asking = putAsks(runtime, session, async (ask) => {
    await drawing.upTo(ask.seq);
    say(question(ask, paint));
    await answer(session, ask, keys, say);
  });
  session.onBroken(asking.fail);
  const by = { dialect: "terminal", client: "demo" };
  const { runId } = await session.prompt({ kind: "prompt", input: { text: prompt }, by, whenBusy: "refuse" });
  let interrupted = false;
  keys.onInterrupt(() => {
    if (interrupted) return leave(INTERRUPTED);
    interrupted = true;
    say("\n\n");
    session.cancel(runId, "interrupted", by).catch(asking.fail);
  });

  await Promise.race([session.settled(), asking.failure]);
  asking.end();
  const summary = await runtime.store.session(session.id);
  await drawing.upTo(summary?.lastSeq ?? 0);
  drawing.end();
  detach();
  say(ending(options, summary, paint));
  return interrupted ? INTERRUPTED : 0;
}

function heading(prompt: string, screen: Columns, { bold, dim }: Paint): string {
  const each = screen.stacked ? "Each line" : "Each column";
  const what = dim(`${each} is what a client of that protocol receives.`);
  return `${bold("One run, two protocols.")} ${what}\n${dim(`Prompt: ${prompt}`)}\n\n${screen.head()}`;
}

function ending({ left, right, place }: DemoOptions, summary: SessionSummary | undefined, paint: Paint): string {
  const [a, b] = ["operations", "live"].every((name) => [left.name, right.name].includes(name))
    ? ["ui", "studio"]
    : ["operations", "live"];
  return (
    `\n${paint.bold("The run is over")}: ${summary?.run?.status}. ` +
    `Its ${summary?.lastSeq} events are on disk, in ${place},\nand any protocol can be made from them again.\n` +
    paint.dim(`Try another pair: npx dragoman demo ${a} ${b}\n`)
  );
}

type Rows = NumberedFrame[];

/** Draws the messages of two feeds, those of one event in the same rows. */
class Drawing {
  readonly #rows: (left: Rows, right: Rows) => void;
  readonly #feeds: Feed[];
  readonly #waiting = new Map<number, [Rows, Rows]>();
  #timer: NodeJS.Timeout | undefined;

  constructor(views: Views, sessionId: string, pair: [Dialect, Dialect], rows: (left: Rows, right: Rows) => void) {
    this.#rows = rows;
    this.#feeds = pair.map((dialect, side) => {
      const write = (frames: Frame[]) => {
        for (const frame of frames) if ("seq" in frame) this.#place(frame as NumberedFrame, side === 0 ? 0 : 1);
      };
      const sink = { unsent: { messages: 0, bytes: 0 }, write };
      return new Feed({ views, sessionId, dialect, profile: profileOf(dialect, "everything"), sink });
    });
  }

  /** Resolves when all that both have to say up to this event is drawn. */
  async upTo(seq: number): Promise<void> {
    while (this.#feeds.some((feed) => feed.seen < seq)) await new Promise((resolve) => setTimeout(resolve, 5));
    this.#flush();
  }

  end(): void {
    for (const feed of this.#feeds) feed.close();
  }

  #place(frame: NumberedFrame, side: 0 | 1): void {
    const rows = this.#waiting.get(frame.seq) ?? [[], []];
    rows[side].push(frame);
    this.#waiting.set(frame.seq, rows);
    this.#timer ??= setTimeout(() => this.#flush(), ROW_DELAY_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#waiting].sort(([a], [b]) => a - b);
    this.#waiting.clear();
    for (const [, [left, right]] of rows) this.#rows(left, right);
  }
}

const AFTER_NO = "The run is a recording, and goes on as it was recorded. Only what you forbade is left out.";

interface Asking {
  /** Rejects when something went wrong on the way to an answer. */
  failure: Promise<never>;
  fail(error: unknown): void;
  end(): void;
}

/** Has every ask of the session put to the reader, once. */
function putAsks(runtime: Runtime, session: SessionHandle, put: (ask: EventOf<"ask.opened">) => Promise<void>): Asking {
  const asked = new Set<string>();
  let fail: (error: unknown) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const putNext = async () => {
    const asks = (await runtime.store.session(session.id))?.asks ?? [];
    const open = asks.find((ask) => !asked.has(ask.askId));
    if (!open) return;
    asked.add(open.askId);
    const [event] = await runtime.store.read(session.id, { after: open.seq - 1, limit: 1 });
    if (event?.type === "ask.opened") await put(event);
  };
  const end = runtime.store.wake(session.id, () => void putNext().catch(fail));
  return { failure, fail, end };
}

function question(ask: EventOf<"ask.opened">, paint: Paint): string {
  const diff = plainText(ask.diff ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (line.startsWith("+") ? paint.green(line) : line.startsWith("-") ? paint.red(line) : line))
    .map((line) => `  ${line}\n`)
    .join("");
  return `\n${paint.bold(plainText(ask.title))} ${plainText(ask.message)}\n${diff}${paint.bold("Your answer, y or n: ")}`;
}

async function answer(
  session: SessionHandle,
  ask: EventOf<"ask.opened">,
  keys: Keys,
  say: (text: string) => void,
): Promise<void> {
  const ok = await keys.yesOrNo();
  const by = { dialect: "terminal", client: ok === undefined ? "nobody" : "you" };
  try {
    await session.answer(ask.askId, { ok: ok === true }, by);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== "ask_closed") throw error;
    say(`\n${error.message}\n\n`); // the run was cancelled or the ask expired while the reader thought about it
    return;
  }
  if (ok === true) say("yes\n\n");
  else say(`${ok === false ? "no" : "no, since nobody is there to give one"}\n${AFTER_NO}\n\n`);
}
