import { DragomanError } from "../../../core/errors.ts";
import { hasRun } from "../../../core/landmarks.ts";
import type { Session } from "../../../core/session.ts";
import { BoundedMap } from "../../bounded-map.ts";
import type { Frame } from "../../dialect.ts";
import type { Sink } from "../../feed.ts";
import { Attachment } from "./attachment.ts";
import type { Node, Services } from "./services.ts";

interface DeskOptions {
  services: Services;
  sink: Sink;
  onError(error: unknown): void;
}

/** The sessions that a UI has on its desk: the current one, and others of which it has not been told everything. */
export class Desk {
  readonly #options: DeskOptions;
  readonly #attachments = new Map<string, Attachment>();
  /** In which session an ask was put, and a run was started. */
  readonly #sessionOfAsk = new BoundedMap<string>();
  readonly #sessionOfRun = new BoundedMap<string>();
  /** What the UI can. It counts from the next run on: in another profile the events of a run have other numbers. */
  profile: Record<string, unknown> = {};
  #current: string | undefined;
  #closed = false;
  #turns: Promise<unknown> = Promise.resolve();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  node(): Promise<Node> {
    return this.#options.services.node();
  }

  get currentId(): string | undefined {
    return this.#current;
  }

  /** One after the other, in the order in which they came: a second run finds the session that the first one made. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => {});
    return done;
  }

  /** The session that a call means. */
  async named(sessionId: string | undefined): Promise<string> {
    const id = sessionId || this.#current;
    if (id === undefined)
      throw new DragomanError("session_not_found", "There is no session yet. Name one, or start a run.");
    const { runtime } = await this.node();
    if (!(await runtime.store.session(id))) throw new DragomanError("session_not_found", `There is no session ${id}.`);
    return id;
  }

  /** The session that a run is to be in: the one that is named, or the current one, or a new one. */
  async take(
    sessionId: string | undefined,
    about: { model?: string; fresh: boolean; client: string },
  ): Promise<Attachment> {
    const { runtime, engine, model } = await this.node();
    const id = sessionId || (about.fresh ? undefined : this.#current);
    await this.#leaveAllBut(this.#current, id);
    if (id === undefined) {
      const { workspace } = this.#options.services;
      const by = { dialect: "ui", client: about.client };
      return this.#attach(await runtime.create({ workspace, engine, model: about.model ?? model, by }), 0);
    }
    // From before it is opened: whose process died in the middle of a run is told of its end then.
    const known = (await runtime.store.session(id))?.lastSeq ?? 0;
    return this.#attach(await runtime.open(id), known);
  }

  attachment(sessionId: string): Attachment | undefined {
    return this.#attachments.get(sessionId);
  }

  /** A run was started: its session is the current one from now on. */
  started(runId: string, sessionId: string): void {
    this.#sessionOfRun.set(runId, sessionId);
    this.#current = sessionId;
  }

  /** The session of a run that was started here, or lies in one of the sessions on the desk. */
  async sessionOfRun(runId: string): Promise<Session> {
    const { runtime } = await this.node();
    const known = this.#sessionOfRun.get(runId);
    for (const id of known ? [known] : this.#attachments.keys()) {
      if (known || (await hasRun(runtime.store, id, runId))) return runtime.open(id);
    }
    throw new DragomanError("run_not_found", `There is no run ${runId}.`);
  }

  async sessionOfAsk(askId: string): Promise<Session> {
    const id = this.#sessionOfAsk.get(askId);
    if (id === undefined) throw new DragomanError("ask_not_found", `There is no ask ${askId}.`);
    return (await this.node()).runtime.open(id);
  }

  /** To be called when something that was sent has left. */
  pump(): void {
    for (const attachment of this.#attachments.values()) attachment.pump();
  }

  /** The UI is gone: its sessions go on without it. */
  detach(): void {
    this.#closed = true;
    for (const attachment of this.#attachments.values()) attachment.detach();
  }

  close(): void {
    this.detach();
    for (const attachment of this.#attachments.values()) attachment.close();
    this.#attachments.clear();
  }

  /** Whether the UI was given everything of its sessions. */
  async caughtUp(): Promise<boolean> {
    for (const attachment of this.#attachments.values()) if (!(await this.#hasAll(attachment))) return false;
    return true;
  }

  /** Resolves when the UI was given everything of a session, or has gone. */
  async allTold(attachment: Attachment): Promise<void> {
    while (!this.#closed && !(await this.#hasAll(attachment))) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async #hasAll(attachment: Attachment): Promise<boolean> {
    const { runtime } = await this.node();
    const { lastSeq = 0 } = (await runtime.store.session(attachment.session.id)) ?? {};
    return attachment.seen >= lastSeq;
  }

  /** Whether an attachment is of that session as it is now, and draws it as the UI wants it, or cannot yet. */
  async #isOf(session: Session, attachment: Attachment): Promise<boolean> {
    if (attachment.session !== session) return false; // it broke, and was opened again
    return attachment.profile === this.profile || session.busy || !(await this.#hasAll(attachment));
  }

  async #attach(session: Session, known: number): Promise<Attachment> {
    const attached = this.#attachments.get(session.id);
    if (attached && (await this.#isOf(session, attached))) return attached;
    const after = attached?.seen ?? known;
    attached?.close();
    const { views } = await this.node();
    const { sink, onError } = this.#options;
    const noting: Sink = {
      write: (frames) => {
        this.#noteAsks(session.id, frames);
        sink.write(frames);
      },
      get unsent() {
        return sink.unsent;
      },
    };
    const attachment = new Attachment({ views, session, profile: this.profile, after, sink: noting, onError });
    if (this.#closed) attachment.detach();
    this.#attachments.set(session.id, attachment);
    return attachment;
  }

  async #leaveAllBut(...kept: (string | undefined)[]): Promise<void> {
    for (const [id, attachment] of this.#attachments) {
      if (kept.includes(id) || attachment.session.busy || !(await this.#hasAll(attachment))) continue;
      attachment.close();
      this.#attachments.delete(id);
    }
  }

  #noteAsks(sessionId: string, frames: Frame[]): void {
    for (const { ask } of frames) if (ask !== undefined) this.#sessionOfAsk.set(ask, sessionId);
  }
}
