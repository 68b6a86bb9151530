import { DragomanError } from "../../../core/errors.ts";
import { endOfRun, hasRun } from "../../../core/landmarks.ts";
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

/** The sessions that a UI has on its desk: the current one, and others whose runs still go on. */
export class Desk {
  readonly #options: DeskOptions;
  readonly #attachments = new Map<string, Attachment>();
  /** In which session an ask was put, and a run was started. */
  readonly #sessionOfAsk = new BoundedMap<string>();
  readonly #sessionOfRun = new BoundedMap<string>();
  profile: Record<string, unknown> = {};
  #current: string | undefined;
  #closed = false;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  node(): Promise<Node> {
    return this.#options.services.node();
  }

  get currentId(): string | undefined {
    return this.#current;
  }

  /** The session that a call means. */
  async named(sessionId: string | undefined): Promise<string> {
    const id = sessionId ?? this.#current;
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
    const id = sessionId ?? (about.fresh ? undefined : this.#current);
    const { workspace } = this.#options.services;
    const by = { dialect: "ui", client: about.client };
    const session =
      id === undefined
        ? await runtime.create({ workspace, engine, model: about.model ?? model, by })
        : await runtime.open(id);
    const attachment = await this.#attach(session);
    this.#current = session.id;
    this.#leaveIdle();
    return attachment;
  }

  attachment(sessionId: string): Attachment | undefined {
    return this.#attachments.get(sessionId);
  }

  started(runId: string, sessionId: string): void {
    this.#sessionOfRun.set(runId, sessionId);
  }

  /** The session of a run that was started here, or lies in one of the sessions on the desk. */
  async sessionOfRun(runId: string): Promise<Session> {
    const { runtime } = await this.node();
    const known = this.#sessionOfRun.get(runId);
    for (const id of known ? [known] : this.#attachments.keys()) {
      if (known || (await hasRun(runtime.store, id, runId)) || (await endOfRun(runtime.store, id, runId))) {
        return runtime.open(id);
      }
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

  /** Whether the UI was given everything of a session up to its end. */
  async caughtUp(): Promise<boolean> {
    const { runtime } = await this.node();
    for (const { session, seen } of this.#attachments.values()) {
      if (seen < ((await runtime.store.session(session.id))?.lastSeq ?? 0)) return false;
    }
    return true;
  }

  async #attach(session: Session): Promise<Attachment> {
    const attached = this.#attachments.get(session.id);
    if (attached?.session === session) return attached;
    attached?.close(); // of a session that broke and was opened again
    const { runtime, views } = await this.node();
    const after = attached?.seen ?? (await runtime.store.session(session.id))?.lastSeq ?? 0;
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

  #noteAsks(sessionId: string, frames: Frame[]): void {
    for (const { ask } of frames) if (ask !== undefined) this.#sessionOfAsk.set(ask, sessionId);
  }

  #leaveIdle(): void {
    for (const [id, attachment] of this.#attachments) {
      if (id === this.#current || attachment.session.busy) continue;
      attachment.close();
      this.#attachments.delete(id);
    }
  }
}
