import { DragomanError } from "../core/errors.ts";
import type { EventOf } from "../core/events.ts";
import type { Runtime } from "../core/runtime.ts";
import type { Session } from "../core/session.ts";
import type { Dialect, Frame, NumberedFrame } from "../dialects/dialect.ts";
import { Feed, Views } from "../dialects/feed.ts";
import { plainText } from "../dialects/plain-text.ts";
import { Columns, colours, noColours, type Paint } from "./columns.ts";
import type { Keys } from "./keys.ts";

export interface DemoOptions {
  runtime: Runtime;
  left: Dialect;
  right: Dialect;
  prompt: string;
  /** Where the log is kept, to be told at the end. */
  place: string;
  keys: Keys;
  out: NodeJS.WritableStream & { columns?: number; isTTY?: boolean };
  colour: boolean;
}

/** The two streams meet at the events they came of; a row is drawn when both had the time to say something of it. */
const ROW_DELAY_MS = 30;

/** Plays a recorded run on two protocols at once. The ask in it is real: it waits for whoever reads. */
export async function demo(options: DemoOptions): Promise<void> {
  const { runtime, left, right, prompt, place, keys, out, colour } = options;
  const paint = colour ? colours : noColours;
  const screen = new Columns(left.name, right.name, out.isTTY ? (out.columns ?? 80) : Number.POSITIVE_INFINITY, paint);
  const say = (text: string) => out.write(text);
  say(
    `${paint.bold("One run, two protocols.")} ${paint.dim("Each column is what a client of that protocol receives.")}\n`,
  );
  say(`${paint.dim(`Prompt: ${prompt}`)}\n\n${screen.head()}`);

  const session = await runtime.create({ workspace: process.cwd(), engine: "replay", title: "Demo" });
  const detach = session.attach(["confirm", "prompt", "pick"]);
  const drawing = draw(runtime, session.id, [left, right], (a, b) => say(screen.rows(a, b)));
  const by = { dialect: "terminal", client: "demo" };
  const { runId } = await session.prompt({ kind: "prompt", input: { text: prompt }, by, whenBusy: "refuse" });
  keys.onInterrupt(() => {
    say("\n\n");
    void session.cancel(runId, "interrupted", by);
  });

  const asked = new Set<string>();
  const unsubscribe = runtime.store.wake(session.id, () => {
    void nextAsk(runtime, session.id, asked).then(async (ask) => {
      if (!ask) return;
      await drawing.upToDate();
      say(question(ask, paint));
      await answer(session, ask, keys, say);
    });
  });
  await session.settled();
  unsubscribe();
  await drawing.end();
  detach();
  const summary = await runtime.store.session(session.id);
  say(`\n${paint.bold("The run is over")}: ${summary?.run?.status}. `);
  say(`Its ${summary?.lastSeq} events are on disk, in ${place},\nand any protocol can be made from them again.\n`);
  say(paint.dim("Try another pair: dragoman demo operations live\n"));
}

interface Drawing {
  upToDate(): Promise<void>;
  end(): Promise<void>;
}

type Rows = NumberedFrame[];

function draw(
  runtime: Runtime,
  sessionId: string,
  pair: [Dialect, Dialect],
  rows: (a: Rows, b: Rows) => void,
): Drawing {
  const views = new Views(runtime.store);
  const waiting = new Map<number, [Rows, Rows]>();
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const seq of [...waiting.keys()].sort((a, b) => a - b)) {
      const [a, b] = waiting.get(seq) ?? [[], []];
      waiting.delete(seq);
      rows(a, b);
    }
  };
  const feeds = pair.map((dialect, side) => {
    const sink = {
      unsent: { messages: 0, bytes: 0 },
      write: (frames: Frame[]) => {
        for (const frame of frames) if ("seq" in frame) place(frame as NumberedFrame, side);
      },
    };
    return new Feed({ views, sessionId, dialect, profile: everything(dialect), sink });
  });
  const place = (frame: NumberedFrame, side: number) => {
    const pairOfRows = waiting.get(frame.seq) ?? [[], []];
    pairOfRows[side === 0 ? 0 : 1].push(frame);
    waiting.set(frame.seq, pairOfRows);
    timer ??= setTimeout(flush, ROW_DELAY_MS);
  };
  const upToDate = () =>
    new Promise<void>((resolve) => {
      setTimeout(() => {
        flush();
        resolve();
      }, ROW_DELAY_MS * 2);
    });
  return {
    upToDate,
    end: async () => {
      await upToDate();
      for (const feed of feeds) feed.close();
    },
  };
}

/** The profile of a client that can do all that the dialect offers. */
function everything(dialect: Dialect): Record<string, unknown> {
  const least = dialect.profile.parse({}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(least).map(([key, value]) => [key, value === false ? true : value]));
}

async function nextAsk(
  runtime: Runtime,
  sessionId: string,
  asked: Set<string>,
): Promise<EventOf<"ask.opened"> | undefined> {
  const asks = (await runtime.store.session(sessionId))?.asks ?? [];
  const open = asks.find((ask) => !asked.has(ask.askId));
  if (!open) return undefined;
  asked.add(open.askId);
  const [event] = await runtime.store.read(sessionId, { after: open.seq - 1, limit: 1 });
  return event?.type === "ask.opened" ? event : undefined;
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
  session: Session,
  ask: EventOf<"ask.opened">,
  keys: Keys,
  say: (text: string) => void,
): Promise<void> {
  const ok = await keys.yesOrNo();
  const words = ok === undefined ? "no (nobody is there to answer)" : ok ? "yes" : "no";
  try {
    await session.answer(ask.askId, { ok: ok === true }, { dialect: "terminal", client: "you" });
    say(`${words}\n\n`);
  } catch (error) {
    // The run was cancelled or the ask expired while the reader thought about it.
    if (!(error instanceof DragomanError)) throw error;
    say(`\n${error.message}\n\n`);
  }
}
