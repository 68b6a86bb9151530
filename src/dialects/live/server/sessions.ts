import { DragomanError } from "../../../core/errors.ts";
import { type Origin, sessionPurposes } from "../../../core/events.ts";
import type { Caller } from "../../../core/roles.ts";
import type { SessionChange, SessionHandle } from "../../../core/session-handle.ts";
import { isUnderWay, type SessionSummary } from "../../../core/summary.ts";
import { changeSession, engineOfNew, modelsFor } from "../../engine-choice.ts";
import { isoTime } from "../../iso-time.ts";
import type { Listeners } from "../../listeners.ts";
import { MOST_LOOKED_THROUGH, ServedFolder } from "../../served-folder.ts";
import type { DataOf } from "../messages.ts";
import type { ClientMessage } from "../parse.ts";
import type { Node, Services } from "./services.ts";

type Start = Extract<ClientMessage, { type: "session_start" }>["data"];

/** A person may have to think about it. */
const USUAL_TOOL_TIMEOUT_MS = 10 * 60 * 1000;

/** The sessions of the node, as far as the caller may see and use them. */
export class Sessions {
  readonly #services: Services;
  readonly #caller: Caller | undefined;
  readonly #served: ServedFolder;

  constructor(services: Services, caller: Caller | undefined) {
    this.#services = services;
    this.#caller = caller;
    this.#served = new ServedFolder(services.workspace);
  }

  get listeners(): Listeners | undefined {
    return this.#services.listeners;
  }

  node(): Promise<Node> {
    return this.#services.node();
  }

  addresses(summary: SessionSummary): Record<string, string> | undefined {
    return this.#services.addresses?.(summary);
  }

  async summary(sessionId: string): Promise<SessionSummary> {
    const summary = await (await this.node()).runtime.store.session(sessionId);
    // Whether there is one elsewhere is not told.
    if (!summary || !(await this.#served.admits(summary.workspace, this.#caller))) {
      const message = `There is no session ${JSON.stringify(sessionId)}. session_list names those there are.`;
      throw new DragomanError("session_not_found", message);
    }
    return summary;
  }

  async open(sessionId: string): Promise<{ session: SessionHandle; summary: SessionSummary }> {
    const summary = await this.summary(sessionId);
    return { session: await (await this.node()).runtime.open(sessionId), summary };
  }

  /** The latest changed first. */
  async list(limit: number): Promise<DataOf<"session_list">> {
    const { store } = (await this.node()).runtime;
    const found = this.#caller
      ? await this.#served.seen(await store.sessions({ limit: MOST_LOOKED_THROUGH }), limit, this.#caller)
      : await store.sessions({ limit });
    return { sessions: found.map((summary) => listed(summary, this.addresses(summary))) };
  }

  async change(sessionId: string, wanted: Pick<SessionChange, "engine" | "model" | "title">): Promise<void> {
    const { session, summary } = await this.open(sessionId);
    await changeSession((await this.node()).runtime, session, summary, wanted);
  }

  /** Of that engine, or of that session's; of new sessions, if neither is named. */
  async models(wanted: string | undefined, sessionId: string | undefined): Promise<DataOf<"model_list">> {
    const node = await this.node();
    const now = sessionId === undefined ? node : await this.summary(sessionId);
    const { models, ...about } = await modelsFor(node.runtime, wanted, now);
    return {
      ...about,
      models: models.map(({ id, name, contextWindow }) => ({ id, name, context_window: contextWindow })),
    };
  }

  async create(about: Start, by: Origin): Promise<SessionHandle> {
    const node = await this.node();
    const { runtime } = node;
    const { agent, purpose } = partsOf(about.session_type);
    const { workspace, title, model, engine = runtime.engines.find(({ name }) => name === agent)?.name } = about;
    const working = await engineOfNew(node, { engine, model });
    return runtime.create({
      workspace: workspace === undefined ? this.#served.path : await this.#served.folder(workspace, this.#caller),
      ...working,
      title,
      purpose,
      clientTools: clientTools(about),
      by,
    });
  }
}

/** Which tools the client runs in our place; nothing when it says nothing of that. */
export function clientTools({ tools, tool_timeout_ms: timeoutMs = USUAL_TOOL_TIMEOUT_MS }: Start) {
  return tools && { tools, timeoutMs };
}

function partsOf(sessionType: string | undefined) {
  const purpose = sessionPurposes.find((one) => sessionType?.endsWith(`_${one}`));
  return { purpose, agent: purpose && sessionType?.slice(0, -purpose.length - 1) };
}

type Listed = DataOf<"session_list">["sessions"][number];

function listed(summary: SessionSummary, addresses: Record<string, string> | undefined): Listed {
  const { sessionId, workspace, engine, model, title, updatedAt, run, lastPrompt, lastSeq } = summary;
  const { purpose = "discussion" } = summary;
  return {
    session_id: sessionId,
    session_type: `${engine}_${purpose}`,
    workspace,
    engine,
    model,
    title,
    status: statusOf(summary),
    updated_at: isoTime(updatedAt),
    run_id: run?.runId,
    last_prompt: lastPrompt,
    last_seq: lastSeq,
    addresses,
  };
}

function statusOf(summary: SessionSummary): Listed["status"] {
  if (summary.closed) return "closed";
  if (summary.asks.some(({ kind }) => kind !== "tool")) return "waiting"; // a client that runs a tool is at work
  return isUnderWay(summary) || summary.queued.length > 0 ? "running" : "idle";
}
