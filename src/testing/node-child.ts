import { createInterface } from "node:readline";
import type { Engine, EngineIO, Turn } from "../core/engine.ts";
import { asDragomanError } from "../core/errors.ts";
import type { Origin, RunResult } from "../core/events.ts";
import { resumeByReplay } from "../core/replayed-io.ts";
import type { RuleBook } from "../core/rules.ts";
import { Runtime } from "../core/runtime.ts";
import { Views } from "../dialects/views.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { tools } from "../tools/index.ts";
import { endLeftovers } from "../tools/process-leftovers.ts";
import { type ClientOptions, openClient, type SeenEvent, type SeenFrame } from "./node-client.ts";
import { type Program, perform } from "./node-program.ts";
import { scripted, until } from "./scripted.ts";

// A node in a process of its own, for tests: it does what the lines of stdin say, all at once, and answers each with a line; and it
// tells of everything that its clients are sent.

export type Command =
  | { do: "create" }
  | { do: "prompt"; sessionId: string; runId: string; program: Program; whenBusy: "queue" | "refuse" }
  | { do: "cancel"; sessionId: string; runId: string }
  | { do: "answer"; sessionId: string; askId: string; by: Origin }
  | { do: "attach" | "detach" | "busy" | "owner" | "close"; sessionId: string }
  | ({ do: "watch"; client: string } & ClientOptions)
  | { do: "vanish"; client: string };

export type Said =
  | { open: string }
  | { id: number; result: unknown }
  | { id: number; error: { code: string; message: string } }
  | { client: string; frames: SeenFrame[] }
  | { client: string; events: SeenEvent[] }
  | { client: string; failed: string }
  /** The session's log could not be written any more. */
  | { broken: string; code: string }
  /** An engine has done its part of a run here, or was called off. */
  | { ran: string; calledOff: boolean };

const LONGEST_STOP_MS = 15_000;

const say = (said: Said) => process.stdout.write(`${JSON.stringify(said)}\n`);

/** Commands run unasked; files are asked about. */
const ruleBook: RuleBook = {
  read: async () => ({ trusted: true, allow: [{ tool: "shell" }], deny: [] }),
  remember: async () => {},
};

async function told(turn: Turn, io: EngineIO, signal: AbortSignal): Promise<RunResult> {
  try {
    return { text: await perform(turn, io, signal) };
  } finally {
    say({ ran: turn.runId, calledOff: signal.aborted });
  }
}

const engine: Engine = {
  ...scripted(perform, "program"),
  run: told,
  resume: (turn, log, io, signal) => resumeByReplay(turn, log, io, (replayed) => told(turn, replayed, signal)),
};

class Child {
  readonly #runtime: Runtime;
  readonly #views: Views;
  readonly #closeStore: () => Promise<void>;
  readonly #obeying = new Set<Promise<void>>();
  readonly #attached = new Map<string, (() => void)[]>();
  readonly #clients = new Map<string, () => void>();

  constructor(store: Awaited<ReturnType<typeof openSqliteStore>>) {
    this.#runtime = new Runtime({ store, engines: [engine], tools, ruleBook, endProcesses: endLeftovers });
    this.#views = new Views(this.#runtime.store);
    this.#closeStore = () => store.close();
  }

  get node(): string {
    return this.#runtime.node;
  }

  async obey(command: Command): Promise<unknown> {
    switch (command.do) {
      case "create": {
        const session = await this.#runtime.create({ workspace: process.cwd(), engine: "program" });
        session.onBroken(({ code }) => say({ broken: session.id, code }));
        return session.id;
      }
      case "prompt": {
        const { runId, program, whenBusy } = command;
        const input = { text: "go", args: { program } };
        const session = await this.#runtime.open(command.sessionId);
        return session.prompt({ kind: "prompt", input, by: { dialect: "test" }, runId, whenBusy });
      }
      case "cancel":
        return (await this.#runtime.open(command.sessionId)).cancel(command.runId, "enough", { dialect: "test" });
      case "answer":
        return (await this.#runtime.open(command.sessionId)).answer(command.askId, { ok: true }, command.by);
      case "close":
        return (await this.#runtime.open(command.sessionId)).close();
      case "busy":
        return (await this.#runtime.open(command.sessionId)).busy();
      case "owner":
        return (await this.#runtime.store.nodes.owner(command.sessionId))?.node;
      case "attach":
        return this.#attach(command.sessionId);
      case "detach":
        return this.#attached.get(command.sessionId)?.pop()?.();
      case "watch":
        return this.#watch(command.client, command);
      case "vanish":
        this.#clients.get(command.client)?.();
        return undefined;
    }
  }

  /** Answers with a line. */
  answer(id: number, command: Command): void {
    const obeying = this.obey(command).then(
      (result) => say({ id, result }),
      (error) => {
        const { code, message } = asDragomanError(error);
        say({ id, error: { code, message } });
      },
    );
    const answered = obeying.then(() => void this.#obeying.delete(answered));
    this.#obeying.add(answered);
  }

  async stop(): Promise<void> {
    await this.#runtime.stop(0);
    await Promise.all(this.#obeying);
    for (const close of this.#clients.values()) close();
    await this.#closeStore();
  }

  /** Resolves when the others know that someone is here, or when it has left again before they did. */
  async #attach(sessionId: string): Promise<void> {
    const detach = (await this.#runtime.open(sessionId)).attach(["confirm"]);
    this.#attached.set(sessionId, [...(this.#attached.get(sessionId) ?? []), detach]);
    const hasLeft = () => !this.#attached.get(sessionId)?.includes(detach);
    await until(
      async () => hasLeft() || (await this.#runtime.store.nodes.canAnswer(sessionId, "confirm", "")),
      "the presence",
    );
  }

  #watch(client: string, options: ClientOptions): void {
    const close = openClient(this.#runtime, this.#views, options, {
      frames: (frames) => say({ client, frames }),
      events: (events) => say({ client, events }),
      failed: (error) => say({ client, failed: asDragomanError(error).message }),
    });
    this.#clients.set(client, close);
  }
}

const child = new Child(await openSqliteStore(process.argv[2] ?? ""));
say({ open: child.node });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...command } = JSON.parse(line) as Command & { id: number };
  child.answer(id, command as Command);
}
setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref(); // whoever started it may be gone, and would not end it
await child.stop();
