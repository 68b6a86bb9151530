import { DragomanError } from "./errors.ts";
import type { ClientTools, Origin, SessionPurpose } from "./events.ts";
import { isUuid } from "./ids.ts";
import { Journal } from "./journal.ts";
import type { RunRules } from "./rules.ts";
import { Session, type SessionDeps } from "./session.ts";
import type { Fence } from "./store.ts";

export interface NewSession {
  workspace: string;
  engine: string;
  model?: string;
  title?: string;
  purpose?: SessionPurpose;
  rules?: RunRules;
  clientTools?: ClientTools;
  by?: Origin;
}

interface OpenerOptions extends Omit<SessionDeps, "onBroken"> {
  node: string;
  onBroken(session: Session, error: DragomanError): void;
}

/** Makes this node the owner of sessions, new ones and those that there are. */
export class SessionOpener {
  readonly #options: OpenerOptions;

  constructor(options: OpenerOptions) {
    this.#options = options;
  }

  async create(sessionId: string, about: NewSession): Promise<Session> {
    const { store, node } = this.#options;
    const fence = await store.claim(sessionId, node);
    if (!fence) throw new DragomanError("internal", "A new session has an owner already.");
    return this.#make(fence, about);
  }

  /** The session of that id, made if there is none yet. Nothing when another node has it, or is making it. */
  async ensure(sessionId: string, about: NewSession): Promise<Session | undefined> {
    const { store, node } = this.#options;
    const fence = await store.claim(sessionId, node);
    if (!fence) return undefined;
    return this.#orRelease(fence, async () =>
      (await store.session(sessionId)) ? this.#open(fence) : this.#make(fence, about),
    );
  }

  /** Nothing when another node has it. */
  async take(sessionId: string): Promise<Session | undefined> {
    const { store, node } = this.#options;
    const fence = await store.claim(sessionId, node);
    return fence && this.#orRelease(fence, () => this.#open(fence));
  }

  async checkExists(sessionId: string): Promise<void> {
    if (!isUuid(sessionId) || !(await this.#options.store.session(sessionId))) throw notFound(sessionId);
  }

  async #make(fence: Fence, about: NewSession): Promise<Session> {
    const { store, clock, secrets } = this.#options;
    const onFailure = () => {}; // `durable` throws it
    const journal = new Journal(store, fence, { clock, secrets, lastAt: 0, onFailure });
    journal.record({ type: "session.created", ...about });
    await journal.durable();
    return this.#open(fence);
  }

  /** Nobody is to wait for a node that does not have it. */
  async #orRelease(fence: Fence, open: () => Promise<Session>): Promise<Session> {
    try {
      return await open();
    } catch (error) {
      await this.#options.store.release(fence).catch(() => {});
      throw error;
    }
  }

  async #open(fence: Fence): Promise<Session> {
    const { onBroken, ...deps } = this.#options;
    const summary = await deps.store.session(fence.sessionId);
    if (!summary) throw notFound(fence.sessionId);
    let opened: Session | undefined; // one that breaks before it is open was never held
    opened = await Session.open(summary, fence, { ...deps, onBroken: (error) => opened && onBroken(opened, error) });
    return opened;
  }
}

const notFound = (sessionId: string) => new DragomanError("session_not_found", `There is no session ${sessionId}.`);
