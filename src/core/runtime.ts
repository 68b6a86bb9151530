import { Attachments } from "./attachments.ts";
import { Caretaker } from "./caretaker.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type Engine, missingEngine } from "./engine.ts";
import { DragomanError } from "./errors.ts";
import type { AskKind } from "./events.ts";
import { type NewId, randomId } from "./ids.ts";
import { LeftoverProcesses } from "./leftover-processes.ts";
import { OwnedSessions } from "./owned-sessions.ts";
import { PostOffice } from "./post-office.ts";
import { type ProcessIdentity, thisProcess } from "./process-identity.ts";
import { newMark } from "./process-mark.ts";
import type { ProcessRecord } from "./process-records.ts";
import { RoutedSession } from "./routed-session.ts";
import { noRules, type RuleBook } from "./rules.ts";
import { newSealKeys } from "./sealed.ts";
import type { Session } from "./session.ts";
import type { SessionHandle } from "./session-handle.ts";
import { type NewSession, SessionOpener } from "./session-opener.ts";
import { SessionRouter } from "./session-router.ts";
import type { Store } from "./store.ts";
import type { Leftover } from "./supervision.ts";
import { withTail } from "./tail.ts";
import type { AnyTool } from "./tool.ts";

/** The end of stdin, or a signal, gives a run this long to end by itself. */
const STOP_GRACE_MS = 10_000;

/** How long another node is waited for that has begun to make a session. */
const ENSURE_TRIES = 100;
const ENSURE_EVERY_MS = 20;

export interface RuntimeOptions {
  store: Store;
  engines: Iterable<Engine>;
  clock?: Clock;
  newId?: NewId;
  /** Values that must never enter a log, such as keys of the environment. */
  secrets?: Iterable<string>;
  /** What engines without tools of their own can do, and the rules under which they do it. */
  tools?: Iterable<AnyTool>;
  ruleBook?: RuleBook;
  /** What this process is to a person who sees it from another one, such as "stdio". */
  title?: string;
  version?: string;
  /** Ends what lost nodes left running. */
  endProcesses?(records: ProcessRecord[]): Promise<Leftover[]>;
  /** Whether to go on with what waits in the queue of a session that is taken over; a node that only looks does not. */
  startsQueued?: boolean;
  /** Why an engine that is known somewhere is not among them, and how to get it. */
  aboutMissing?(engine: string): Promise<string | undefined>;
  /** For tests: another process than this one. */
  identity?: ProcessIdentity;
}

/** One node: the sessions it owns, on one store that it may share with others. */
export class Runtime {
  /** The store, with the newest events of live sessions in memory. Readers read here. */
  readonly store: Store;
  readonly node: string;
  readonly #engines: Map<string, Engine>;
  readonly #newId: NewId;
  readonly #options: RuntimeOptions;
  readonly #identity: ProcessIdentity;
  readonly #startsQueued: boolean;
  readonly #keys = newSealKeys();
  readonly #attachments: Attachments;
  readonly #post: PostOffice;
  readonly #caretaker: Caretaker;
  readonly #leftovers: LeftoverProcesses;
  readonly #opener: SessionOpener;
  readonly #router: SessionRouter;
  readonly #sessions = new OwnedSessions();
  readonly #secrets: string[];
  readonly #brokenListeners = new Map<string, Set<(error: DragomanError) => void>>();
  #joining: Promise<void> | undefined;
  #stopping = false;

  constructor(options: RuntimeOptions) {
    const { store, engines, clock = systemClock, newId = randomId, secrets = [], startsQueued = true } = options;
    this.store = withTail(store);
    this.#options = options;
    this.#engines = new Map([...engines].map((engine) => [engine.name, engine]));
    this.#newId = newId;
    this.#startsQueued = startsQueued;
    this.#secrets = [...secrets];
    const { tools = [], ruleBook = noRules, identity = thisProcess(), endProcesses } = options;
    this.#identity = identity;
    this.node = newId();
    const { node } = this;
    this.#attachments = new Attachments(store.nodes, node);
    this.#leftovers = new LeftoverProcesses({
      records: store.processes,
      node,
      newMark,
      host: identity.host,
      endProcesses,
    });
    this.#opener = new SessionOpener({
      store: this.store,
      node,
      clock,
      newId,
      engine: (name) => this.#engines.get(name) ?? missingEngine(name, () => this.aboutMissing(name)),
      secrets: this.#secrets,
      toolbox: { tools: new Map([...tools].map((tool) => [tool.name, tool])), ruleBook },
      canAsk: (id, kind) => this.#canAsk(id, kind),
      supervise: (id, runId, title) => this.#leftovers.supervise(id, runId, title),
      endLeftovers: (sessionId, checkOurs) => this.#leftovers.end({ sessionId }, checkOurs),
      leaveEngines: (sessionId, except) => this.#leaveEngines(sessionId, except),
      startsQueued: () => startsQueued && !this.#stopping,
      onBroken: (session, error) => this.#lose(session, error),
    });
    this.#post = new PostOffice({
      store: this.store,
      clock,
      newId,
      node,
      keys: this.#keys,
      deliver: (letter, command, again) => {
        if (this.#stopping && command.do === "prompt") throw leaving(); // whoever comes next can do it
        return this.#router.deliver(letter, command, again);
      },
    });
    const own = (sessionId: string) => this.own(sessionId);
    this.#router = new SessionRouter({
      store: this.store,
      clock,
      sessions: this.#sessions,
      attachments: this.#attachments,
      post: this.#post,
      own,
    });
    this.#caretaker = new Caretaker({
      store: this.store,
      clock,
      node,
      startsQueued,
      followed: () => this.#attachments.sessionIds.filter((sessionId) => !this.#sessions.get(sessionId)),
      takeOver: (sessionId) => own(sessionId).catch(() => {}), // what is wrong with it is told to whoever wants it
      endLeftovers: (query) => this.#leftovers.end(query),
      tidy: () => this.#tidy(),
    });
  }

  get engines(): Engine[] {
    return [...this.#engines.values()];
  }

  /** How many sessions this node has, and in how many of them a run is under way or waits. */
  get load(): { sessions: number; busy: number } {
    const sessions = this.#sessions.all();
    return { sessions: sessions.length, busy: sessions.filter(({ busy }) => busy).length };
  }

  /** A value that must not enter a log from now on. */
  addSecret(secret: string): void {
    this.#secrets.push(secret);
    for (const session of this.#sessions.all()) session.addSecret(secret);
  }

  /** One that was added, and is to be looked for no more: every event pays for each. */
  forgetSecret(secret: string): void {
    const at = this.#secrets.indexOf(secret);
    if (at < 0) return;
    this.#secrets.splice(at, 1);
    for (const session of this.#sessions.all()) session.forgetSecret(secret);
  }

  /** Looks after what lost nodes left behind from now on, and not only from the first session on. */
  async lookAfterOthers(): Promise<void> {
    this.#checkRunning();
    await this.#join();
  }

  async create(about: NewSession): Promise<SessionHandle> {
    this.#checkRunning();
    await this.#checkEngine(about.engine);
    const sessionId = this.#newId();
    await this.#sessions.add(
      sessionId,
      this.#joined(() => this.#opener.create(sessionId, about)),
    );
    return this.#handle(sessionId);
  }

  /** The session of that id, whichever node has it; made if there is none. All who ask for the same get the same one. */
  async ensure(sessionId: string, about: NewSession): Promise<SessionHandle> {
    this.#checkRunning();
    await this.#checkEngine(about.engine);
    for (let left = ENSURE_TRIES; !(await this.store.session(sessionId)); left--) {
      if (left === 0)
        throw new DragomanError("owner_unreachable", "Another process is making this session. Try again.");
      const opening = this.#sessions.awaited(sessionId) ?? this.#ensureHere(sessionId, about);
      if (!(await opening)) await this.#moment();
    }
    return this.#handle(sessionId);
  }

  /** A session that there is, whichever node has it. */
  async open(sessionId: string): Promise<SessionHandle> {
    this.#checkRunning();
    await this.#opener.checkExists(sessionId);
    return this.#handle(sessionId);
  }

  /** The session as its owner has it: this node is that, or becomes it. Nothing when another node has it. */
  async own(sessionId: string): Promise<Session | undefined> {
    const known = this.#sessions.awaited(sessionId);
    if (known) return known;
    this.#checkRunning();
    const take = async () => {
      await this.#opener.checkExists(sessionId);
      return this.#joined(() => this.#opener.take(sessionId));
    };
    return this.#sessions.add(sessionId, take());
  }

  /**
   * Every run gets its grace, then it is cancelled and logged, unless it only waits for people and is to be left (`leaveWaiting`); what
   * was queued stays queued. All sessions are given back.
   */
  async stop(graceMs = STOP_GRACE_MS, { leaveWaiting = false } = {}): Promise<void> {
    this.#stopping = true;
    await this.#caretaker.stop();
    await this.#sessions.opened();
    await Promise.all(this.#sessions.all().map((session) => session.stop(graceMs, leaveWaiting)));
    await this.#post.close();
    if (!this.#joining) return;
    await this.#joining.catch(() => {});
    await this.store.nodes.leave(this.node).catch(() => {}); // who cannot write leaves by the end of its lease
  }

  #handle(sessionId: string): SessionHandle {
    return new RoutedSession(sessionId, {
      store: this.store,
      newId: this.#newId,
      command: (id, command) => this.#router.command(id, command),
      attach: (id, kinds) => this.#attach(id, kinds),
      owned: (id) => this.#sessions.get(id),
      onBroken: (id, listener) => this.#onBroken(id, listener),
    });
  }

  #attach(sessionId: string, kinds: Iterable<AskKind>): () => void {
    const detach = this.#attachments.add(sessionId, kinds);
    const tell = async () => {
      await this.#join();
      if (!this.#stopping) await this.#attachments.tell(sessionId); // else it is about to leave
    };
    void tell().catch(() => {}); // the store is of no use, and says so to whoever asks something of it
    return () => {
      detach();
      void tell().catch(() => {});
    };
  }

  async #canAsk(sessionId: string, kind: AskKind): Promise<boolean> {
    if (this.#attachments.canAnswer(sessionId, kind)) return true;
    return this.store.nodes.canAnswer(sessionId, kind, this.node);
  }

  #onBroken(sessionId: string, listener: (error: DragomanError) => void): () => void {
    const listeners = this.#brokenListeners.get(sessionId) ?? new Set();
    this.#brokenListeners.set(sessionId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      const isLast = listeners.size === 0 && this.#brokenListeners.get(sessionId) === listeners;
      if (isLast) this.#brokenListeners.delete(sessionId);
    };
  }

  /** The others know this node from now on. */
  #join(): Promise<void> {
    this.#joining ??= this.#joinNow().catch((error) => {
      this.#joining = undefined;
      throw error;
    });
    return this.#joining;
  }

  async #joined<T>(work: () => Promise<T>): Promise<T> {
    await this.#join();
    return work();
  }

  async #joinNow(): Promise<void> {
    const { title = "dragoman", version = "" } = this.#options;
    await this.store.nodes.join({
      node: this.node,
      ...this.#identity,
      title,
      version,
      publicKey: this.#keys.publicKey,
    });
    if (this.#stopping) return;
    this.#post.open();
    this.#caretaker.start();
  }

  /** The session cannot be written from here any more. Where that is because another node has it, whoever is here goes on there. */
  #lose(session: Session, error: DragomanError): void {
    this.#sessions.remove(session);
    if (error.code === "stale_owner") return;
    void this.store.release(session.fence).catch(() => {}); // another node may be able to
    for (const listener of this.#brokenListeners.get(session.id) ?? []) listener(error);
  }

  #ensureHere(sessionId: string, about: NewSession): Promise<Session | undefined> {
    return this.#sessions.add(
      sessionId,
      this.#joined(() => this.#opener.ensure(sessionId, about)),
    );
  }

  #moment(): Promise<void> {
    return new Promise((resolve) => (this.#options.clock ?? systemClock).after(ENSURE_EVERY_MS, resolve));
  }

  /** What to say of an engine that is not here. */
  async aboutMissing(name: string): Promise<string> {
    const known = [...this.#engines.keys()].join(", ");
    return (await this.#options.aboutMissing?.(name)) ?? `There is no engine "${name}" here. There is: ${known}.`;
  }

  async #checkEngine(name: string): Promise<void> {
    if (!this.#engines.has(name)) throw new DragomanError("engine_unavailable", await this.aboutMissing(name));
  }

  #checkRunning(): void {
    if (this.#stopping) throw new DragomanError("owner_unreachable", "This process is stopping.");
  }

  /**
   * One that stood still for a while may have lost sessions without having noticed: an owner that only waits appends nothing. And a
   * session in which nothing happens and that nobody follows here is free for others; the log has all of it.
   */
  async #tidy(): Promise<void> {
    for (const sessionId of this.#attachments.sessionIds) await this.#attachments.tell(sessionId);
    for (const session of this.#sessions.all()) {
      const owner = await this.store.nodes.owner(session.id);
      if (owner?.node !== this.node || owner.epoch !== session.fence.epoch) await session.verify().catch(() => {});
      const isKept = this.#startsQueued && this.#attachments.has(session.id);
      if (!session.idle || isKept || session.broken) continue;
      this.#sessions.remove(session);
      await this.#leaveEngines(session.id);
      await this.store.release(session.fence);
    }
  }

  /** An engine that cannot end what it keeps holds nobody up. */
  async #leaveEngines(sessionId: string, except?: string): Promise<void> {
    const others = this.engines.filter(({ name, leave }) => leave && name !== except);
    await Promise.all(others.map((engine) => engine.leave?.(sessionId).catch(() => {})));
  }
}

const leaving = () => new DragomanError("stale_owner", "the process that has the session is stopping");
