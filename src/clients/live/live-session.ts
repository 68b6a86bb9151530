import type { Clock } from "../../core/clock.ts";
import { Listeners } from "../ui/listeners.ts";
import { ClientTools, type ToolOptions, toolsData } from "./client-tools.ts";
import { type ConfirmationListener, Confirmations } from "./confirmations.ts";
import { errorOf, LiveError } from "./live-error.ts";
import type { Request } from "./pending-requests.ts";
import type { Cursor, LiveMessage, OfferedModels, SentData, SentType, SessionState, ToolResponse } from "./protocol.ts";
import { randomUuid } from "./random-uuid.ts";
import { SessionFeed } from "./session-feed.ts";
import { type Run, SessionRuns } from "./session-runs.ts";

/** Listeners of the view are told so often at most. */
const VIEW_MS = 16;

/** What a session needs of its client. */
export interface SessionHost {
  clock: Clock;
  limit: number;
  newId(): string;
  request<T>(request: Request<T>): Promise<T>;
  onTaken(): void;
  onFault(error: LiveError): void;
  /** The session is over here. */
  forget(error: LiveError): void;
}

interface Beginning extends ToolOptions {
  state?: SessionState;
  after?: Cursor;
}

interface SessionEvents {
  message: LiveMessage;
  view: SessionState;
}

/** A session that this client is attached to. Iterating gives each of its messages once and in order. */
export class LiveSession implements AsyncIterable<LiveMessage> {
  readonly id: string;
  /** @internal What the server is told of the tools, also when it is attached again. */
  readonly toolsData: ReturnType<typeof toolsData>;
  readonly #host: SessionHost;
  readonly #feed: SessionFeed;
  readonly #runs = new SessionRuns();
  readonly #confirmations: Confirmations;
  readonly #tools: ClientTools;
  readonly #listeners: Listeners<SessionEvents>;
  #callOffView: (() => void) | undefined;
  #over: LiveError | undefined;

  /** @internal */
  constructor(id: string, host: SessionHost, { state, after, tools = {}, confirm, toolTimeoutMs }: Beginning) {
    this.id = id;
    this.#host = host;
    const { clock, limit, onTaken, onFault } = host;
    const onThrow = (error: unknown) => onFault(new LiveError("INVALID", `A listener threw: ${error}`));
    this.#feed = new SessionFeed({ limit, onTaken }, state, after);
    this.#confirmations = new Confirmations(onThrow);
    this.#listeners = new Listeners((_, error) => onThrow(error));
    const respond = (response: SentData<"tool_call_response">) => this.#acknowledged("tool_call_response", response);
    this.toolsData = toolsData({ tools, toolTimeoutMs });
    this.#tools = new ClientTools({ sessionId: id, clock, tools, confirm, respond, onFault });
  }

  /** The session as it is now. It is changed in place; after a lost connection it is another object. */
  get view(): SessionState {
    return this.#feed.state;
  }

  /** The last message that has come: to attach with, in another process even. */
  get cursor(): Cursor {
    return this.#feed.cursor;
  }

  /** Resolves when it runs or waits in the queue. */
  prompt(text: string, { model }: { model?: string } = {}): Promise<Run> {
    const data = { content: text, input_type: "ai_prompt", model, run_id: randomUuid() };
    return this.#request("user_input", data, {
      isLogged: true,
      answer: (message) => {
        const runId = startedRun(message);
        return runId === undefined ? undefined : this.#runs.begin(runId, message.correlation_id);
      },
    });
  }

  /** `<agent>_<command>` asks the agent, any other name runs that tool; resolves with what came of it. */
  call(name: string, args: Record<string, unknown> = {}): Promise<ToolResponse> {
    const call_id = this.#host.newId();
    const data = { call_id, name, args, is_client_initiated: true, run_id: randomUuid() };
    return this.#request("tool_call_request", data, {
      isLogged: true,
      answer: (message) => {
        if (message.type !== "tool_call_response" || message.data.call_id !== call_id) return undefined;
        if (message.data.error) throw errorOf(message.data.error);
        return message.data;
      },
    });
  }

  /** By the id of the call or of the question. Rejects where somebody else was faster; `details` says who. */
  async approve(id: string, options: { remember?: boolean; reason?: string } = {}): Promise<void> {
    await this.#decide(id, "approve", options);
  }

  async deny(id: string, options: { remember?: boolean; reason?: string } = {}): Promise<void> {
    await this.#decide(id, "deny", options);
  }

  /** To a question for a text or a choice: the text, or the ids of what is chosen. */
  async answer(askId: string, answer: string | { ids: string[] }): Promise<void> {
    if (!this.#confirmations.knows(askId)) {
      // The server would take it for a prompt.
      throw new LiveError("INVALID", `Nothing was asked by the id ${JSON.stringify(askId)}`);
    }
    const given = typeof answer === "string" ? { content: answer } : { content: "", ids: answer.ids };
    await this.#acknowledged("user_input", { ...given, input_type: "command_parameters", call_id: askId });
  }

  /** Cancels that run, or the one under way. */
  async interrupt(runId?: string, { reason }: { reason?: string } = {}): Promise<void> {
    await this.#acknowledged("interrupt", { run_id: runId, reason });
  }

  /** What does the work from the next run on, and the title. The view has it when everyone who follows the session is told. */
  async update(change: SentData<"session_update">): Promise<void> {
    await this.#acknowledged("session_update", change);
  }

  /** Those of the engine that the session has, or of the one that is named. */
  models({ engine }: { engine?: string } = {}): Promise<OfferedModels> {
    const answer = (message: LiveMessage) => (message.type === "model_list" ? message.data : undefined);
    return this.#request("model_list", { engine }, { answer });
  }

  /** As the server has it; `view` is the same without asking. */
  state(): Promise<SessionState> {
    return this.#request(
      "session_state",
      {},
      {
        answer: (message) => (message.type === "session_state" ? message.data : undefined),
      },
    );
  }

  /** The session goes on without this client. */
  async leave(): Promise<void> {
    await this.#acknowledged("session_end", { detach: true });
    this.close(new LiveError("CLOSED", "The session was left"));
  }

  /** For everyone. Resolves when the view says so; rejects where it is not certain that it was done. */
  async end(reason?: string): Promise<void> {
    if (this.#over) throw this.#over;
    let isDone = false;
    const answer = ({ type }: LiveMessage) => {
      isDone ||= type === "ack";
      return undefined; // the session's own end settles it
    };
    try {
      await this.#request("session_end", { reason }, { answer });
    } catch (error) {
      if (!isDone && this.view.status !== "closed") throw error;
    }
  }

  /** Who listens is told of each message as it comes, and now of those that nobody has taken. */
  onMessage(listener: (message: LiveMessage) => void): () => void {
    const kept = this.#feed.inbox.listen();
    const stop = this.#listeners.on("message", listener);
    for (const message of kept) this.#listeners.tell("message", message);
    return stop;
  }

  /** Told when the view has changed, of many changes at once. */
  onView(listener: (view: SessionState) => void): () => void {
    return this.#listeners.on("view", listener);
  }

  /** Told of every question that is open or will be, once. */
  onConfirmation(listener: ConfirmationListener): () => void {
    return this.#confirmations.listen(listener);
  }

  [Symbol.asyncIterator](): AsyncIterator<LiveMessage, undefined> {
    const { inbox } = this.#feed;
    return {
      next: () => inbox.take(),
      return: async () => {
        inbox.leave();
        return { done: true, value: undefined };
      },
    };
  }

  /** @internal */
  get inbox(): SessionFeed["inbox"] {
    return this.#feed.inbox;
  }

  /** @internal A message of the session; acknowledged by whoever calls. */
  take(message: LiveMessage, size: number): void {
    if (this.#over || !this.#feed.take(message)) return;
    this.#runs.take(message, this.view);
    this.#listeners.tell("message", message);
    this.#feed.inbox.push(message, size);
    if (message.seq !== undefined) this.#changed();
    if (message.type === "session_end") this.close();
  }

  /** @internal It is attached, for the first time or again. */
  attached(state?: SessionState): void {
    if (state) this.#feed.renew(state);
    this.#changed();
    this.#tools.sendAgain();
  }

  /** @internal All that the state knows of was told. */
  caughtUp(): void {
    this.#runs.settle(this.view);
  }

  /** @internal Without an error it has come to its end. */
  close(error?: LiveError): void {
    if (this.#over) return;
    this.#over = error ?? new LiveError("CLOSED", "The session has ended");
    this.#callOffView?.();
    this.#feed.inbox.end(error?.code === "CLOSED" ? undefined : error);
    this.#runs.rejectAll(this.#over);
    this.#confirmations.sync([]);
    this.#tools.stop();
    this.#host.forget(this.#over);
    this.#listeners.tell("view", this.view);
  }

  #changed(): void {
    this.#confirmations.sync(this.view.open_confirmations);
    this.#tools.sync(this.view);
    this.#callOffView ??= this.#host.clock.after(VIEW_MS, () => {
      this.#callOffView = undefined;
      this.#listeners.tell("view", this.view);
    });
  }

  async #decide(call_id: string, content: string, options: { remember?: boolean; reason?: string }): Promise<void> {
    const { remember, reason } = options;
    await this.#acknowledged("user_input", {
      input_type: "operation_confirmation",
      call_id,
      content,
      remember,
      reason,
    });
  }

  #acknowledged<T extends SentType>(type: T, data: SentData<T>): Promise<true> {
    return this.#request(type, data, { answer: ({ type: told }) => (told === "ack" ? true : undefined) });
  }

  #request<T extends SentType, R>(type: T, data: SentData<T>, request: Omit<Request<R>, "sent">): Promise<R> {
    if (this.#over) return Promise.reject(this.#over);
    const acked = type === "session_state" || type === "model_list" ? {} : { ack_required: true as const };
    return this.#host.request({ ...request, sent: { type, session_id: this.id, ...acked, data } });
  }
}

/** The run that the log says was started, or put into the queue, by a request. */
function startedRun(message: LiveMessage): string | undefined {
  if (message.type === "user_input") return message.data.run_id;
  return message.type === "status_update" && message.data.kind === "run" ? message.data.run_id : undefined;
}
