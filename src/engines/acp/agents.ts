import { type Clock, systemClock } from "../../core/clock.ts";
import type { EngineIO, Model, Turn } from "../../core/engine.ts";
import { DragomanError } from "../../core/errors.ts";
import type { RunResult } from "../../core/events.ts";
import { KeptAgents } from "../kept-agents.ts";
import { unlessAborted } from "../unless-aborted.ts";
import type { AcpOptions } from "./acp-options.ts";
import type { AcpAgent } from "./agent.ts";
import { AgentCrash } from "./failures.ts";
import { MOST_RESTARTS, Restarts } from "./restarts.ts";
import { AcpRun } from "./run.ts";
import { START_MS, type Start, startAgent } from "./start-agent.ts";
import { pause } from "./waiting.ts";

/** What there is of a session between its runs, besides its agent. */
interface Life {
  restarts: Restarts;
  left: AbortController;
}

/** So long it may take to start an agent without a word about it. */
const SLOW_MS = 5000;
const TOO_OFTEN = `, and did so before: it was started again ${MOST_RESTARTS} times`;

type Wanted = Pick<Start, "workspace" | "agentSession" | "supervise">;

/** The agents of an engine, one for each session, and their restarts. */
export class AcpAgents {
  readonly #options: AcpOptions;
  readonly #clock: Clock;
  readonly #title: string;
  readonly #kept: KeptAgents<AcpAgent>;
  readonly #lives = new Map<string, Life>();
  #models: Model[] = [];
  /** One that never was is not waited for: starting it again would not help. */
  #wasReady = false;

  constructor(options: AcpOptions) {
    this.#options = options;
    this.#title = options.title ?? options.name;
    this.#clock = options.clock ?? systemClock;
    this.#kept = new KeptAgents({ clock: this.#clock, idleMs: options.idleMs });
  }

  /** Those of the session that was opened last. */
  get models(): Model[] {
    return this.#models;
  }

  async run(turn: Turn, io: EngineIO, signal: AbortSignal): Promise<RunResult> {
    const { sessionId } = turn;
    const { agent, rest } = await this.#ready(turn, io, signal);
    try {
      if (agent.sessionId !== turn.agentSession) io.keep(agent.sessionId);
      await unlessAborted(signal, agent.use(turn.model ?? this.#options.model));
      const { name: source, textsAreErrors = false } = this.#options;
      const result = await new AcpRun(agent, {
        turn,
        io,
        signal,
        clock: this.#clock,
        source,
        textsAreErrors,
      }).execute();
      this.#lives.get(sessionId)?.restarts.reset();
      return result;
    } catch (error) {
      if (!(error instanceof AgentCrash) || signal.aborted) throw error;
      await agent.end();
      const { workspace } = turn;
      throw this.#crashed(sessionId, { workspace, agentSession: agent.sessionId, supervise: io.supervise }, error);
    } finally {
      if (agent.ended) await this.#kept.drop(sessionId);
      else rest();
    }
  }

  /** Ends the session's agent, and whatever was to be done about it. */
  async leave(sessionId: string): Promise<void> {
    const life = this.#lives.get(sessionId);
    this.#lives.delete(sessionId);
    life?.restarts.callOff();
    life?.left.abort(new DragomanError("cancelled", "The session was left."));
    await this.#kept.drop(sessionId);
  }

  /** The session's agent. One that crashes when it is started is waited for, until it has crashed too often. */
  async #ready(turn: Turn, io: EngineIO, signal: AbortSignal): Promise<{ agent: AcpAgent; rest(): void }> {
    const { sessionId, workspace, agentSession } = turn;
    const { restarts, left } = this.#life(sessionId);
    const halted = AbortSignal.any([signal, left.signal]);
    const wanted = { workspace, agentSession, supervise: io.supervise };
    for (let crash: AgentCrash | undefined; ; ) {
      if (restarts.waitMs > 0) {
        const text = withWords(`${this.#title} ${crash?.how ?? "has crashed"}. ${again(restarts)}`, crash);
        await io.emit({ type: "note", level: "warning", text, source: this.#options.name });
        await pause(restarts.waitMs, this.#clock, halted);
      }
      halted.throwIfAborted();
      try {
        return await this.#sayingSo(io, this.#use(sessionId, wanted, signal));
      } catch (error) {
        if (!(error instanceof AgentCrash) || signal.aborted) throw error;
        if (restarts.hasGivenUp) throw this.#unavailable(error, TOO_OFTEN);
        crash = error;
      }
    }
  }

  /** Whoever waits for an agent that takes its time is told. */
  async #sayingSo<T>(io: EngineIO, using: Promise<T>): Promise<T> {
    const { name: source } = this.#options;
    const text = `${this.#title} is being started, and has not answered yet. It has ${START_MS / 1000} s for each answer.`;
    const callOff = this.#clock.after(SLOW_MS, () => void io.emit({ type: "note", level: "info", text, source }));
    return using.finally(callOff);
  }

  async #use(sessionId: string, wanted: Wanted, signal: AbortSignal) {
    if (this.#kept.get(sessionId)?.isFor(wanted.workspace, wanted.agentSession) === false) {
      await this.#kept.drop(sessionId);
    }
    const used = this.#kept.use(sessionId, () => this.#start(sessionId, wanted));
    try {
      return await unlessAborted(signal, used);
    } catch (error) {
      // Whoever does not wait for it any more leaves it to the next one.
      used.then(
        ({ rest }) => rest(),
        () => {},
      );
      throw error;
    }
  }

  async #start(sessionId: string, wanted: Wanted): Promise<AcpAgent> {
    try {
      const agent = await startAgent(this.#options, { ...wanted, signal: this.#life(sessionId).left.signal });
      this.#models = agent.models(this.#options.model);
      this.#wasReady = true;
      return agent;
    } catch (error) {
      if (!(error instanceof AgentCrash)) throw error;
      if (!this.#wasReady) throw this.#unavailable(error, " before it was ready");
      this.#restartLater(sessionId, wanted);
      throw error;
    }
  }

  /** A session that was left meanwhile needs no agent any more. */
  #restartLater(sessionId: string, wanted: Wanted): void {
    const restart = async () => {
      const { rest } = await this.#kept.use(sessionId, () => this.#start(sessionId, wanted));
      rest();
    };
    const again = () => void restart().catch(() => {}); // that it failed was noticed by `#start`
    this.#lives.get(sessionId)?.restarts.crashed(again);
  }

  #crashed(sessionId: string, wanted: Wanted, crash: AgentCrash): DragomanError {
    this.#restartLater(sessionId, wanted);
    const restarts = this.#lives.get(sessionId)?.restarts;
    if (restarts?.hasGivenUp) return this.#unavailable(crash, TOO_OFTEN);
    const text = `${this.#title} ${crash.how}. The next prompt starts it again.`;
    return new DragomanError("engine_failed", withWords(text, crash), restarts && { restartInMs: restarts.waitMs });
  }

  #unavailable(crash: AgentCrash, when: string): DragomanError {
    const { file, args } = this.#options.command;
    const advice = `See what \`${[file, ...args].join(" ")}\` says in a terminal. The next prompt starts it once more.`;
    return new DragomanError("engine_unavailable", withWords(`${this.#title} ${crash.how}${when}. ${advice}`, crash));
  }

  #life(sessionId: string): Life {
    const known = this.#lives.get(sessionId);
    if (known) return known;
    const life = { restarts: new Restarts(this.#clock), left: new AbortController() };
    this.#lives.set(sessionId, life);
    return life;
  }
}

function again({ waitMs, count }: Restarts): string {
  return `It is started again in ${Math.ceil(waitMs / 1000)} s (${count} of ${MOST_RESTARTS}).`;
}

function withWords(text: string, crash: AgentCrash | undefined): string {
  return crash && crash.lastWords !== "" ? `${text} It said: ${crash.lastWords}` : text;
}
