import { afterAll, beforeAll } from "vitest";
import type { Engine } from "../../core/engine.ts";
import type { Event, EventOf, EventType, Origin, RunInput } from "../../core/events.ts";
import { Runtime, type RuntimeOptions } from "../../core/runtime.ts";
import { memoryStore } from "../../stores/memory.ts";
import { type StubModel, startStubModel } from "../../stub-model/index.ts";
import { readAll } from "../../testing/read-all.ts";
import { until } from "../../testing/scripted.ts";
import { type ModelOptions, modelEngine } from "./index.ts";

const me: Origin = { dialect: "test" };

/** The real engine against the stub model, while the tests of a file run. */
export function modelWorld() {
  let stub: StubModel;

  beforeAll(async () => {
    stub = await startStubModel({ pieceMs: 1 });
  });
  afterAll(() => stub.close());

  const engine = (options: Partial<ModelOptions> = {}): Engine =>
    modelEngine({ baseUrl: `${stub.url}/v1`, apiKeyVariable: "MY_KEY", model: "stub-model", ...options });

  return {
    engine,
    session: (options: Partial<ModelOptions> = {}) => modelSession(engine(options)),
    get stub() {
      return stub;
    },
    /** The messages that the model was last sent. */
    lastMessages: () => messagesIn(stub.requests.at(-1)?.body),
  };
}

const messagesIn = (body: unknown) => (body as { messages: { role: string; content: string }[] }).messages;

/** A session in which prompts are run, one after the other. */
export async function modelSession(
  engine: Engine,
  equipment: Partial<RuntimeOptions> = {},
  workspace: string = process.cwd(),
) {
  const runtime = new Runtime({ engines: [engine], store: memoryStore(), ...equipment });
  const session = await runtime.create({ workspace, engine: engine.name });
  return talkIn(runtime, session.id);
}

export function talkIn(runtime: Runtime, sessionId: string) {
  const log = () => readAll(runtime.store, sessionId);
  const open = () => runtime.open(sessionId);
  const start = async (prompt: string | RunInput, model?: string) => {
    const input = typeof prompt === "string" ? { text: prompt } : prompt;
    const asked = { kind: "prompt", input, by: me, whenBusy: "refuse", model } as const;
    return (await (await open()).prompt(asked)).runId;
  };
  const ended = async (runId: string) => {
    await (await open()).settled();
    return new Told((await log()).filter((event) => "runId" in event && event.runId === runId));
  };
  return {
    id: sessionId,
    log,
    start,
    ended,
    cancel: async (runId: string) => (await open()).cancel(runId, "enough", me),
    run: async (prompt: string | RunInput, model?: string) => ended(await start(prompt, model)),
    /** Waits for the first event of a kind. */
    see: async (type: EventType) => {
      await until(async () => (await log()).some((event) => event.type === type), type);
    },
  };
}

/** What the log has of one run. */
class Told {
  readonly events: Event[];

  constructor(events: Event[]) {
    this.events = events;
  }

  of<T extends EventType>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type);
  }

  get end(): Event | undefined {
    return this.events.at(-1);
  }

  get text(): string | undefined {
    return this.of("run.completed")[0]?.result.text;
  }

  get failure() {
    return this.of("run.failed")[0]?.error;
  }

  get notes(): string[] {
    return this.of("note").map(({ text }) => text);
  }
}
