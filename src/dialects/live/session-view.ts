import type { DataOf, Message, MessageType } from "./messages.ts";

// A session as the messages of the protocol tell it. The server makes its `session_state` with this and the client its view, so that both
// say the same, whether they heard everything or began with a state.

export type SessionState = DataOf<"session_state">;
type Shown = SessionState["messages"][number];

/** What is more is left out, the oldest first. */
const MOST_MESSAGES = 500;
const MOST_CHARACTERS = 512 * 1024;
const MOST_FILES = 1000;
const MOST_OPEN = 1000;

/** Code that came without fences is put between these: longer than those that are usual within code. */
const FENCE = "````";

export function emptySession(): SessionState {
  return {
    session_type: "unknown_discussion",
    workspace: "",
    engine: "",
    status: "idle",
    queued_runs: [],
    messages: [],
    earlier_messages: 0,
    open_tool_calls: [],
    open_confirmations: [],
    files_touched: [],
    context_window: { used: 0, size: 0 },
    last_seq: 0,
  };
}

type Taken = Pick<Message, "type" | "timestamp" | "correlation_id" | "seq" | "k" | "data">;
type Take<Type extends MessageType> = (view: SessionView, data: DataOf<Type>, message: Taken) => void;

/** Keeps a session's state up to date. What it was told already it does not take again. */
export class SessionView {
  readonly state: SessionState;
  /** The last message of the event `state.last_seq`. */
  #k = Number.POSITIVE_INFINITY;
  #characters = 0;

  constructor(state: SessionState = emptySession()) {
    this.state = state;
    for (const { content } of state.messages) this.#characters += content.length;
  }

  take(message: Taken): void {
    if (!this.#isNew(message)) return;
    const taker = takers[message.type] as Take<MessageType> | undefined;
    taker?.(this, message.data, message);
  }

  /** Everything up to there was taken, also where an event had nothing to say. */
  reached(seq: number): void {
    if (seq <= this.state.last_seq) return;
    this.state.last_seq = seq;
    this.#k = Number.POSITIVE_INFINITY;
  }

  #isNew({ seq, k = 0 }: Taken): boolean {
    if (seq === undefined) return true; // it is of the connection
    const { last_seq } = this.state;
    if (seq < last_seq || (seq === last_seq && k <= this.#k)) return false;
    this.state.last_seq = seq;
    this.#k = k;
    return true;
  }

  show(message: Shown): void {
    this.state.messages.push(message);
    this.#grow(message.content.length);
  }

  write(text: string): void {
    const message = this.speaking;
    if (!message) return;
    message.content += text;
    if (message.content.length > 2 * MOST_CHARACTERS) {
      this.#characters -= message.content.length - MOST_CHARACTERS - text.length;
      message.content = message.content.slice(-MOST_CHARACTERS);
      message.truncated = true;
      this.#grow(0);
    } else this.#grow(text.length);
  }

  /** The message that is being said. */
  get speaking(): Shown | undefined {
    const last = this.state.messages.at(-1);
    return last?.open ? last : undefined;
  }

  endMessage(): void {
    const message = this.speaking;
    if (!message) return;
    delete message.open;
    delete message.block;
    if (message.content === "") this.state.messages.pop(); // it was nothing but thoughts
  }

  #grow(by: number): void {
    this.#characters += by;
    const { messages } = this.state;
    while (messages.length > MOST_MESSAGES || (this.#characters > MOST_CHARACTERS && messages.length > 1)) {
      this.#characters -= messages.shift()?.content.length ?? 0;
      this.state.earlier_messages++;
    }
  }
}

const takers: { [Type in MessageType]?: Take<Type> } = {
  session_start: ({ state }, { session_type, workspace, engine, model, title }) => {
    Object.assign(state, { session_type, workspace, engine }, defined({ model, title }));
  },
  session_end: ({ state }) => {
    state.status = "closed";
  },
  user_input: (view, { content, run_id }) => {
    const { state } = view;
    view.endMessage();
    state.run_id = run_id;
    state.status = "running";
    state.queued_runs = state.queued_runs.filter((id) => id !== run_id);
    view.show({ id: run_id, role: "user", content, run_id });
  },
  message_start: (view, { message: { id, role, model }, run_id }) => {
    view.endMessage();
    view.show({ id, role, content: "", run_id, model, open: true });
  },
  content_block_start: (view, { content_block_id, content_type, language = "", fence }) => {
    const message = view.speaking;
    if (!message) return;
    const bare = content_type === "code" && fence === undefined;
    if (bare) view.write(`${startsLine(message.content) ? "" : "\n"}${FENCE}${language}\n`);
    else if (fence !== undefined) view.write(fence);
    message.block = { content_block_id, content_type, ...defined({ fence }) };
  },
  content_block_delta: (view, { content_block_id, delta }) => {
    const { block } = view.speaking ?? {};
    if (block?.content_block_id === content_block_id && delta.type === "text_delta") view.write(delta.text);
  },
  content_block_stop: (view, { fence }) => {
    const message = view.speaking;
    const { block } = message ?? {};
    if (!message || !block) return;
    if (fence !== undefined) view.write(fence);
    else if (block.content_type === "code" && block.fence === undefined) {
      view.write(`${startsLine(message.content) ? "" : "\n"}${FENCE}\n`);
    }
    delete message.block;
  },
  message_stop: (view) => view.endMessage(),
  tool_call_request: ({ state }, call, { timestamp, correlation_id }) => {
    const before = state.open_tool_calls.find(({ call_id }) => call_id === call.call_id);
    const others = state.open_tool_calls.filter((open) => open !== before);
    const opened = {
      ...call,
      kind: call.kind ?? before?.kind,
      is_client_initiated: before?.is_client_initiated ?? call.is_client_initiated,
      started_at: before?.started_at ?? timestamp,
      ...(correlation_id !== call.call_id && defined({ correlation_id })),
    };
    state.open_tool_calls = [...others, opened].slice(-MOST_OPEN);
  },
  tool_call_response: ({ state }, { call_id, files = [] }) => {
    state.open_tool_calls = state.open_tool_calls.filter((call) => call.call_id !== call_id);
    if (files.length === 0) return;
    const touched = new Set(files);
    const others = state.files_touched.filter((file) => !touched.has(file));
    state.files_touched = [...others, ...files].slice(-MOST_FILES);
  },
  tool_call_confirmation: ({ state }, asked) => {
    const others = state.open_confirmations.filter(({ ask_id }) => ask_id !== asked.ask_id);
    state.open_confirmations = [...others, asked].slice(-MOST_OPEN);
  },
  status_update: (view, status) => takeStatus(view, status),
};

function takeStatus(view: SessionView, status: DataOf<"status_update">): void {
  const { state } = view;
  if (status.kind === "session") {
    const { workspace, engine = state.engine, model, title } = status;
    if (engine !== state.engine) delete state.model; // it was one of the engine before
    Object.assign(state, { engine }, defined({ workspace, model, title }));
    state.session_type = `${engine}_${purposeOf(state.session_type)}`;
  } else if (status.kind === "run") takeRunStatus(view, status);
  else if (status.kind === "ask") {
    state.open_confirmations = state.open_confirmations.filter(({ ask_id }) => ask_id !== status.ask_id);
  } else if (status.kind === "plan") state.plan = { plan_id: status.plan_id, steps: status.steps };
  else if (status.kind === "usage") state.context_window = { used: status.context_used, size: status.context_size };
  else if (status.kind === "gap") skip(view, status.to_seq);
}

/** What was under way has ended among the events that are gone, unless the view had heard of them. */
function skip(view: SessionView, to: number): void {
  const { state } = view;
  if (to <= state.last_seq) return;
  view.endMessage();
  view.reached(to);
  delete state.run_id;
  delete state.last_run;
  delete state.plan;
  if (state.status !== "closed") state.status = "idle";
  Object.assign(state, { queued_runs: [], open_tool_calls: [], open_confirmations: [] });
}

function takeRunStatus({ state }: SessionView, { run_id, status, reason }: RunStatus): void {
  if (status === "queued") {
    state.queued_runs = [...state.queued_runs, run_id].slice(-MOST_OPEN);
    return;
  }
  if (status === "cancelling") {
    if (run_id === state.run_id) state.status = "cancelling";
    return;
  }
  if (state.queued_runs.includes(run_id)) {
    state.queued_runs = state.queued_runs.filter((id) => id !== run_id); // it never began
    return;
  }
  state.last_run = { run_id, status, ...defined({ reason }) };
  if (run_id !== state.run_id) return; // its beginning is gone
  delete state.run_id;
  delete state.plan;
  if (state.status !== "closed") state.status = "idle";
  state.open_tool_calls = [];
  state.open_confirmations = state.open_confirmations.filter((asked) => asked.run_id !== run_id);
}

type RunStatus = Extract<DataOf<"status_update">, { kind: "run" }>;

const purposeOf = (sessionType: string) => /(?:planning|discussion|tool_execution)$/.exec(sessionType)?.[0];

const startsLine = (text: string) => text === "" || text.endsWith("\n");

function defined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}
