import { randomUUID } from "node:crypto";
import { isTerminal } from "../core/event-facts.ts";
import type { Event } from "../core/events.ts";
import { ui } from "../dialects/ui/index.ts";
import { faultsOf } from "./check-log.ts";
import { faultsInTheEnd, faultsOfWatched } from "./check-watched.ts";
import type { NodeProcess } from "./node-process.ts";
import { type Program, programFaults } from "./node-program.ts";

/** A session as several processes have it: whoever is among them watches it. */
export class NodeSession {
  readonly #logOf: (sessionId: string) => Promise<Event[]>;
  readonly #answered = new Set<string>();

  private constructor(
    readonly id: string,
    logOf: (sessionId: string) => Promise<Event[]>,
  ) {
    this.#logOf = logOf;
  }

  /** The first of them is the owner. */
  static async begin(among: NodeProcess[], logOf: (sessionId: string) => Promise<Event[]>): Promise<NodeSession> {
    const id = (await among[0]?.call<string>({ do: "create" })) ?? "";
    for (const process of among) {
      await process.call({ do: "watch", client: id, sessionId: id, dialect: "ui", after: { seq: 0 } });
    }
    return new NodeSession(id, logOf);
  }

  log(): Promise<Event[]> {
    return this.#logOf(this.id);
  }

  async attach(at: NodeProcess): Promise<void> {
    await at.call({ do: "attach", sessionId: this.id });
  }

  /** Who watched and was attached does so no longer. */
  async leave(at: NodeProcess): Promise<void> {
    await at.call({ do: "detach", sessionId: this.id });
    await at.call({ do: "vanish", client: this.id });
  }

  async prompt(at: NodeProcess, program: Program): Promise<string> {
    const runId = randomUUID();
    await at.call({ do: "prompt", sessionId: this.id, runId, program, whenBusy: "queue" });
    return runId;
  }

  cancel(at: NodeProcess, runId: string): Promise<unknown> {
    return at.call({ do: "cancel", sessionId: this.id, runId });
  }

  async answer(at: NodeProcess, askId: string, user = "Ada"): Promise<void> {
    this.#answered.add(askId);
    await at.call({ do: "answer", sessionId: this.id, askId, by: { dialect: "test", user } });
  }

  owner(at: NodeProcess): Promise<string | undefined> {
    return at.call({ do: "owner", sessionId: this.id });
  }

  /** How often such an event was seen there. */
  count(at: NodeProcess, ...types: Event["type"][]): number {
    return at.seen(this.id).events.filter(([, , type]) => types.includes(type)).length;
  }

  asksAt(at: NodeProcess): string[] {
    return at.seen(this.id).frames.flatMap(({ ask }) => ask ?? []);
  }

  /** Answers whatever is asked until so many runs have ended. */
  async answerUntilEnded(at: NodeProcess, runs: number): Promise<void> {
    const open = () => this.asksAt(at).find((ask) => !this.#answered.has(ask));
    const ended = () => this.count(at, "run.completed", "run.failed", "run.cancelled") >= runs;
    for (;;) {
      await at.until(() => ended() || open() !== undefined, "the end of the run, or an ask");
      const askId = open();
      if (ended() || askId === undefined) return;
      await this.answer(at, askId);
    }
  }

  /** What is wrong with the log, or with what was told of it at the processes that are there and at those that are not any more. */
  async faults(present: NodeProcess[], gone: NodeProcess[] = []): Promise<string[]> {
    const log = await this.log();
    const against = { log, sessionId: this.id, dialect: ui };
    const told = await Promise.all(present.map((process) => faultsInTheEnd([process.seen(this.id)], against)));
    return [
      ...faultsOf(log, { ended: true }),
      ...programFaults(log),
      ...told.flat(),
      ...gone.flatMap((process) => faultsOfWatched([process.seen(this.id)], { ...against, complete: false })),
    ];
  }
}

/** How a run ended: completed, cancelled, or the code of its failure. More than one end is one too many. */
export function endsOf(log: Event[], runId: string): string[] {
  return log.flatMap((event) => {
    if (!isTerminal(event) || event.runId !== runId) return [];
    return event.type === "run.failed" ? [event.error.code] : [event.type.slice("run.".length)];
  });
}
