import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Answer, Engine } from "../core/engine.ts";
import type { Event, EventOf, EventType, Origin, RunInput } from "../core/events.ts";
import type { Rule, RuleBook } from "../core/rules.ts";
import { Runtime, type RuntimeOptions } from "../core/runtime.ts";
import { type CopilotOptions, copilotEngine } from "../engines/copilot/index.ts";
import { memoryStore } from "../stores/memory.ts";
import { type StubModel, startStubModel } from "../stub-model/index.ts";
import { processTable } from "../tools/process-table.ts";
import { readAll } from "./read-all.ts";
import { until } from "./scripted.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { temporaryWorkspaces, type Workspace } from "./workspace.ts";

const me: Origin = { dialect: "test" };

/** Rules that are there while a test runs, and what is remembered among them. */
export function rules(allow: Rule[], deny: Rule[] = []): RuleBook {
  const kept = { allow, deny };
  return {
    read: async () => ({ trusted: false, ...kept }),
    remember: async (_, verdict, added) => {
      kept[verdict] = [...kept[verdict], ...added];
    },
  };
}

export const allowing = (...tools: string[]): RuleBook => rules(tools.map((tool) => ({ tool })));

type Equipment = Omit<RuntimeOptions, "store" | "engines">;

/** The real runtime of Copilot, with a home of its own. */
type CopilotEngine = Engine & { home: string };

/** The real runtime of Copilot against the stub model, while the tests of a file run. At their end nothing is left of it. */
export function copilotWorld() {
  const folder = temporaryFolder();
  const newWorkspace = temporaryWorkspaces();
  const used = new Map<string, Engine>();
  const lasting = new Set<string>();
  let stub: StubModel;

  beforeAll(async () => {
    stub = await startStubModel({ pieceMs: 1 });
  });

  const leave = async (sessionIds: string[]) => {
    await Promise.all(sessionIds.map((sessionId) => used.get(sessionId)?.leave?.(sessionId)));
    for (const sessionId of sessionIds) used.delete(sessionId);
  };

  afterEach(() => leave([...used.keys()].filter((sessionId) => !lasting.has(sessionId))));

  afterAll(async () => {
    await leave([...used.keys()]);
    await until(async () => (await runtimesOf()).length === 0, "the end of every runtime");
    await stub.close();
  });

  const newHome = () => mkdtempSync(join(folder.path, "home-"));

  const engine = ({ home = newHome(), ...options }: CopilotOptions = {}): CopilotEngine => {
    const provider = { baseUrl: `${stub.url}/v1` };
    const env = { COPILOT_OFFLINE: "true" };
    const made = copilotEngine({ home, provider, model: "stub-model", env, ...options });
    return {
      ...made,
      home,
      run: (turn, io, signal) => {
        used.set(turn.sessionId, made);
        return made.run(turn, io, signal);
      },
    };
  };

  const world = {
    newWorkspace,
    newHome,
    engine,
    /** What the model was last asked, as the wire has it. */
    lastRequest: () => JSON.stringify(stub.requests.at(-1)?.body),
    /** Which tools it was offered then. */
    lastTools: () =>
      [...world.lastRequest().matchAll(/"type":"function","function":\{"name":"([^"]+)","description"/g)].map(
        ([, name]) => name,
      ),
    get stub() {
      return stub;
    },
    /** A session, with someone attached who can answer. */
    session: async ({ lasts, ...options }: SessionOptions = {}) => {
      const opened = await openSession(options.engine ?? engine(), newWorkspace(), options);
      if (lasts) lasting.add(opened.session.id);
      return opened;
    },
  };
  return world;
}

export type CopilotSession = Awaited<ReturnType<typeof openSession>>;

interface SessionOptions extends Equipment {
  engine?: CopilotEngine;
  /** It is there for all tests of the file: most of the time is that of starting a runtime. */
  lasts?: boolean;
  /** Nobody could answer. */
  alone?: boolean;
  /** What the client runs in our place. */
  clientTools?: string[];
  workspace?: Workspace;
}

async function openSession(
  engine: CopilotEngine,
  newWorkspace: Workspace,
  { engine: _, alone, clientTools = [], workspace = newWorkspace, ...equipment }: Omit<SessionOptions, "lasts">,
) {
  const store = memoryStore();
  const runtime = new Runtime({ store, engines: [engine], ...equipment });
  const session = await runtime.create({
    workspace: workspace.path,
    engine: engine.name,
    clientTools: { tools: clientTools, timeoutMs: 60_000 },
  });
  if (!alone) session.attach(["confirm", "prompt", "pick", "tool"]);
  const log = () => readAll(store, session.id);

  const start = async (prompt: string | RunInput, model?: string) => {
    const input = typeof prompt === "string" ? { text: prompt } : prompt;
    const { runId } = await session.prompt({ kind: "prompt", input, by: me, whenBusy: "refuse", model });
    return runId;
  };

  /** The events of a run that is over. */
  const ended = async (runId: string) => {
    await session.settled();
    return new Told((await log()).filter((event) => "runId" in event && event.runId === runId));
  };

  return {
    session,
    workspace,
    home: engine.home,
    /** The runtimes that are there for it now. */
    runtimes: () => runtimesOf(engine.home),
    log,
    start,
    ended,
    cancel: (runId: string) => session.cancel(runId, "enough", me),
    answer: (askId: string, answer: Answer) => session.answer(askId, answer, me),
    /** Waits for the first event that is like that. */
    see: async <T extends EventType>(type: T, isIt: (event: EventOf<T>) => boolean = () => true) => {
      const find = async () =>
        (await log()).find((event): event is EventOf<T> => event.type === type && isIt(event as EventOf<T>));
      await until(async () => (await find()) !== undefined, type);
      return (await find()) as EventOf<T>;
    },
    /** A run to its end, in which each ask gets the next answer. */
    run: async (prompt: string | RunInput, answers: Answer[] = [], model?: string) => {
      const runId = await start(prompt, model);
      for (const [index, answer] of answers.entries()) {
        const asks = async () => (await log()).filter(isAskOf(runId));
        await until(async () => (await asks()).length > index || !(await session.busy()), `ask ${index + 1}`);
        const ask = (await asks())[index];
        if (ask) await session.answer(ask.askId, answer, me);
      }
      return ended(runId);
    },
  };
}

const isAskOf =
  (runId: string) =>
  (event: Event): event is EventOf<"ask.opened"> =>
    event.type === "ask.opened" && event.runId === runId;

/** What the log has of one run. */
export class Told {
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

  get notes(): string[] {
    return this.of("note").flatMap(({ level, text }) => (level === "debug" ? [] : [text]));
  }
}

/** The runtimes that this process has started, with that home or with any, and that are there now. */
async function runtimesOf(home = ""): Promise<number[]> {
  const rows = [...(await processTable()).values()];
  const children = rows.filter(({ parent, state }) => parent === process.pid && state !== "ended");
  const isOne = (pid: number) =>
    toldOf(pid, "cmdline").includes("copilot-runtime") && toldOf(pid, "environ").includes(`COPILOT_HOME=${home}`);
  return children.flatMap(({ pid }) => (isOne(pid) ? [pid] : []));
}

/** Whether there is a process with this in its command line. */
export async function isRunning(words: string): Promise<boolean> {
  const rows = [...(await processTable()).values()];
  return rows.some(
    ({ pid, state }) => state !== "ended" && pid !== process.pid && toldOf(pid, "cmdline").includes(words),
  );
}

function toldOf(pid: number, what: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // it has ended
  }
}
