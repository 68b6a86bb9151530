import { createInterface } from "node:readline";
import type { Engine } from "../../src/core/engine.ts";
import type { Origin } from "../../src/core/events.ts";
import { Runtime } from "../../src/core/runtime.ts";
import { Feed } from "../../src/dialects/feed.ts";
import { profileOf } from "../../src/dialects/profile-of.ts";
import { ui } from "../../src/dialects/ui/index.ts";
import { Views } from "../../src/dialects/views.ts";
import { openSqliteStore } from "../../src/stores/sqlite.ts";
import { inRhythm, now, type Rhythm, stamp, stampsIn } from "./rhythm.ts";

// A node whose runs say when they said something, or ask again and again, and whose client says how long ago that was. It does what
// the lines of stdin say, and answers each with a line.

type Command =
  | { do: "create" }
  | { do: "say" | "ask"; sessionId: string; rhythm: Rhythm }
  /** Tells, when a run has ended, of the lags of all that it said. */
  | { do: "watch"; sessionId: string }
  /** Answers the asks of a run, and then tells how long it took until each answer was acknowledged. */
  | { do: "answer"; sessionId: string }
  | { do: "prompt"; sessionId: string };

const by: Origin = { dialect: "bench" };

const engine: Engine = {
  name: "bench",
  models: async () => [],
  run: async ({ input }, io) => {
    const { rhythm, asks } = input.args as unknown as { rhythm: Rhythm; asks: boolean };
    await inRhythm(rhythm, () =>
      asks
        ? io.ask({ kind: "confirm", title: "Go on?", message: "" })
        : io.emit({ type: "step.started", stepId: "step", title: stamp(), number: 1 }),
    );
    return { text: "" };
  },
};

const store = await openSqliteStore(process.argv[2] ?? "");
const runtime = new Runtime({ store, engines: [engine] });
const views = new Views(runtime.store);

/** Someone is there, so that it stays this node's when it has nothing to do. */
async function create(): Promise<string> {
  const session = await runtime.create({ workspace: process.cwd(), engine: "bench" });
  session.attach([]);
  return session.id;
}

async function start(sessionId: string, rhythm: Rhythm, asks: boolean): Promise<void> {
  const session = await runtime.open(sessionId);
  const input = { text: "go", args: { rhythm, asks } };
  await session.prompt({ kind: "prompt", input, by, whenBusy: "queue" });
}

/** Calls back with what comes from now on, until a run has ended. */
async function follow(sessionId: string, take: (text: string, ask?: string) => void): Promise<void> {
  const after = { seq: (await store.session(sessionId))?.lastSeq ?? 0 };
  await new Promise<void>((resolve) => {
    const feed = new Feed({
      views,
      sessionId,
      dialect: ui,
      profile: profileOf(ui, "everything"),
      after,
      sink: {
        unsent: { messages: 0, bytes: 0 },
        write: (frames) => {
          for (const { text, ask } of frames) {
            take(text, ask);
            if (!text.includes('"status":"completed"')) continue;
            feed.close();
            resolve();
          }
        },
      },
    });
    console.log('"following"');
  });
}

/** Who watches a session in which nothing happens is not looking as often: what comes first is seen later than the rest. */
async function watch(sessionId: string): Promise<number[]> {
  const seen: number[] = [];
  await follow(sessionId, (text) => seen.push(...stampsIn(text).map((stamp) => now() - stamp)));
  return seen;
}

async function answer(sessionId: string): Promise<number[]> {
  const session = await runtime.open(sessionId);
  const detach = session.attach(["confirm"]);
  const answers: Promise<number>[] = [];
  await follow(sessionId, (_, ask) => {
    if (ask !== undefined) answers.push(timed(() => session.answer(ask, { ok: true }, by)));
  });
  detach();
  return Promise.all(answers);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = now();
  await work();
  return now() - from;
}

async function obey(command: Command): Promise<unknown> {
  switch (command.do) {
    case "create":
      return create();
    case "say":
    case "ask":
      return start(command.sessionId, command.rhythm, command.do === "ask");
    case "watch":
      return watch(command.sessionId);
    case "answer":
      return answer(command.sessionId);
    case "prompt":
      return timed(() => start(command.sessionId, { count: 0, leastMs: 0, mostMs: 0 }, false));
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  void obey(JSON.parse(line)).then((result) => console.log(JSON.stringify({ result })));
}
await runtime.stop(0);
await store.close();
