import { isDenial, type ToolAnswer } from "../../../core/engine.ts";
import { DragomanError, messageOf } from "../../../core/errors.ts";
import type { Origin } from "../../../core/events.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import { wireCall } from "../tool-names.ts";
import { type CallbackCall, callPlugin } from "./callback-call.ts";
import { CallbackFollower } from "./callback-follower.ts";
import type { Services } from "./services.ts";

const MOST_FOLLOWED = 1000;
/** So many of the latest sessions are looked through for calls that a lost server left open. */
const MOST_LOOKED_THROUGH = 1000;
/** Between two tries to bring an answer to the owner of a session. */
const ANSWER_PAUSE_MS = 1000;

const plugin: Origin = { dialect: "sidecar", client: "tool callback" };

/** The sessions whose tool callbacks go out from this node. */
export class Callbacks {
  readonly #services: Services;
  readonly #most: number;
  /** The one that was longest not asked for is the first. */
  readonly #followers = new Map<string, CallbackFollower>();
  #closed = false;

  constructor(services: Services, most = MOST_FOLLOWED) {
    this.#services = services;
    this.#most = most;
  }

  /** Fails when there is no room for one more session with a callback. */
  checkRoom(): void {
    if (this.#followers.size < this.#most || [...this.#followers.values()].some(({ idle }) => idle)) return;
    const message = `${this.#most} sessions with a callback are at work here. Wait until one has ended, or cancel one.`;
    throw new DragomanError("queue_full", message);
  }

  /** From now on the callbacks of this session, whose summary names this node, go out from here. */
  follow(session: SessionHandle): void {
    if (this.#closed) return;
    const known = this.#followers.get(session.id);
    if (known) {
      this.#followers.delete(session.id);
      this.#followers.set(session.id, known);
      return;
    }
    this.#makeRoom();
    const { store, node } = this.#services.runtime;
    const follower: CallbackFollower = new CallbackFollower({
      store,
      session,
      node,
      deliver: (call) => this.#deliver(session, call),
      onEnd: (error) => {
        if (this.#followers.get(session.id) === follower) this.#followers.delete(session.id);
        if (error !== undefined) this.#warn("callback.lost", session.id, error);
      },
    });
    this.#followers.set(session.id, follower);
  }

  /** The session has no callback any more. */
  unfollow(sessionId: string): void {
    this.#followers.get(sessionId)?.end();
  }

  /** Sees to it that the callbacks of a session that someone is interested in go out from somewhere. */
  async takeUp(session: SessionHandle, { clientTools, closed }: SessionSummary): Promise<void> {
    const { runtime } = this.#services;
    const callback = clientTools?.callback;
    if (!callback || closed || this.#closed) return;
    if (callback.node !== runtime.node) {
      const nodes = await runtime.store.nodes.list();
      if (nodes.some(({ node, state }) => node === callback.node && state === "alive")) return;
      await session.update({ clientTools: { ...clientTools, callback: { ...callback, node: runtime.node } } });
    }
    this.follow(session);
  }

  /** Goes on with what a server that is gone has left open. */
  async takeUpLost(): Promise<void> {
    const { runtime } = this.#services;
    for (const summary of await runtime.store.sessions({ limit: MOST_LOOKED_THROUGH })) {
      if (!summary.asks.some(({ kind }) => kind === "tool") || this.#closed) continue;
      try {
        await this.takeUp(await runtime.open(summary.sessionId), summary);
      } catch (error) {
        this.#warn("callback.not_taken_up", summary.sessionId, error);
      }
    }
  }

  close(): void {
    this.#closed = true;
    for (const follower of [...this.#followers.values()]) follower.end();
  }

  #makeRoom(): void {
    if (this.#followers.size < this.#most) return;
    const idle = [...this.#followers.values()].find((follower) => follower.idle);
    idle?.end(); // it is followed again as soon as something is sent to it
  }

  async #deliver(session: SessionHandle, given: CallbackCall): Promise<void> {
    const { runtime, clock, post, callbacks, callbackKey } = this.#services;
    const { ask, signal } = given;
    const expired = new AbortController();
    const callOff = clock.after(Math.max(0, ask.expiresAt - clock.now()), () => expired.abort(), "in background");
    const call = { ...given, signal: AbortSignal.any([signal, expired.signal]) };
    try {
      const around = { store: runtime.store, clock, post, callbackKey, allowedHosts: callbacks.allowedHosts };
      const answer = await callPlugin(around, call);
      const isLate = call.signal.aborted && clock.now() >= ask.expiresAt;
      if (isLate) this.#tell(call, { success: false, error: "The plugin gave no reply in time." });
      if (call.signal.aborted) return;
      this.#tell(call, answer);
      await this.#answer(session, call, answer);
    } catch (error) {
      this.#warn("callback.lost", session.id, error);
    } finally {
      callOff();
    }
  }

  /** What the plugin did is done, so its answer is brought to the owner for as long as the ask is open. */
  async #answer(session: SessionHandle, call: CallbackCall, answer: ToolAnswer): Promise<void> {
    for (;;) {
      try {
        return await session.answer(call.ask.askId, answer, plugin);
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        if (error.code === "ask_closed" || error.code === "ask_not_found") return; // it was called off meanwhile
        if (error.code !== "owner_unreachable" || call.signal.aborted) throw error;
      }
      await new Promise<void>((resolve) => this.#services.clock.after(ANSWER_PAUSE_MS, resolve));
    }
  }

  /** Whoever writes a plugin reads here what became of a call. */
  #tell({ sessionId: session, ask }: CallbackCall, answer: ToolAnswer): void {
    const { toolName: tool } = wireCall(ask.tool ?? "", {});
    const about = { session, tool, callId: ask.callId };
    const { success, error, userMessage } = answer;
    if (success) this.#services.log({ level: "info", event: "callback.done", ...about });
    else if (isDenial(answer)) this.#services.log({ level: "info", event: "callback.denied", ...about });
    else this.#services.log({ level: "warn", event: "callback.failed", ...about, message: error ?? userMessage });
  }

  #warn(event: string, session: string, error: unknown): void {
    this.#services.log({ level: "warn", event, session, message: messageOf(error) });
  }
}
