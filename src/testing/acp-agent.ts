import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContentBlock, InitializeResponse, PromptResponse } from "@agentclientprotocol/sdk";
import { randomId } from "../core/ids.ts";
import { performTurn, type Step } from "./acp-agent-turn.ts";
import { AgentWire, AnsweredError } from "./acp-agent-wire.ts";

// An agent in a process of its own, for tests: it does what its prompt says, which is a list of steps as JSON. Any other prompt it repeats.

/** How it is, from its start on; given as JSON on its command line. */
export interface AgentSetup {
  /** A file with how often it is yet to crash when it is started. */
  crashes?: string;
  /** It answers nothing. */
  silent?: boolean;
  /** Neither the end of its input nor a signal that asks for it ends it. */
  deaf?: boolean;
  version?: number;
  needsLogin?: boolean;
  takesContent?: boolean;
  /** A folder that its sessions are kept in. */
  sessions?: string;
  /** Sessions can only be loaded: their history is told before it says that they are, or soon after that, and before anything else. */
  tellsHistory?: "before" | "after";
  /** What its answer to a new or loaded session has on top. */
  opened?: Record<string, unknown>;
  /** A file to which it adds a line for each request that it gets. */
  heard?: string;
  /** What it does when it is to go into another mode: it says no, or nothing. */
  keepsMode?: "loudly" | "silently";
  /** The mode that it goes to by itself as soon as it was put into another. */
  driftsTo?: string;
  /** What it does when its prompt is no list of steps. */
  otherwise?: Step[];
  /** What it prints as it starts: no protocol. */
  banner?: string;
}

const setup = JSON.parse(process.argv[2] ?? "{}") as AgentSetup;
class Session {
  prompts: string[] = [];
  cancel = new AbortController();

  /** What is yet to be told of what was said before. */
  history: (() => Promise<void>) | undefined;

  constructor(readonly id: string) {
    if (existsSync(this.#path)) this.prompts = JSON.parse(readFileSync(this.#path, "utf8")) as string[];
  }

  async tellHistory(): Promise<void> {
    const tell = this.history;
    this.history = undefined;
    await tell?.();
  }

  add(prompt: string): void {
    this.prompts.push(prompt);
    if (setup.sessions) writeFileSync(this.#path, JSON.stringify(this.prompts));
  }

  get #path(): string {
    return join(setup.sessions ?? "/dev/null", `${this.id}.json`);
  }
}

const sessions = new Map<string, Session>();

function open(id: string): Session {
  const session = new Session(id);
  sessions.set(id, session);
  return session;
}

const notFound = (id: string) => new AnsweredError(-32002, "Resource not found", { uri: id });

function opened(id: string): Session {
  const session = sessions.get(id);
  if (!session) throw notFound(id);
  return session;
}

function hear(what: string): void {
  if (setup.heard) appendFileSync(setup.heard, `${what}\n`);
}

function stepsIn(text: string): Step[] {
  try {
    return JSON.parse(text) as Step[];
  } catch {
    return setup.otherwise ?? [{ say: `heard: ${text}` }];
  }
}

async function prompt(wire: AgentWire, sessionId: string, sent: ContentBlock[]): Promise<PromptResponse> {
  const session = opened(sessionId);
  await session.tellHistory();
  const [first] = sent;
  const text = first?.type === "text" ? first.text : "";
  session.cancel = new AbortController();
  session.add(text);
  hear(text.startsWith("[") ? "prompt" : `prompt ${text}`);
  const { prompts, cancel } = session;
  return performTurn(stepsIn(text), { wire, sessionId, count: prompts.length, cancelled: cancel.signal, sent, hear });
}

async function tellHistory(wire: AgentWire, { id: sessionId, prompts }: Session): Promise<void> {
  const tell = (sessionUpdate: string, text: string) =>
    wire.notify("session/update", { sessionId, update: { sessionUpdate, content: { type: "text", text } } });
  for (const text of prompts) {
    await tell("user_message_chunk", text);
    await tell("agent_message_chunk", "said before");
  }
}

function initialized(): InitializeResponse {
  const canGoOn = setup.sessions !== undefined;
  return {
    protocolVersion: setup.version ?? 1,
    agentInfo: { name: "scripted", version: "1" },
    agentCapabilities: {
      loadSession: canGoOn,
      promptCapabilities: { embeddedContext: setup.takesContent === true },
      sessionCapabilities: canGoOn && !setup.tellsHistory ? { resume: {} } : {},
    },
    authMethods: [{ id: "login", name: "Log in", description: "Run `scripted login` in a terminal" }],
  };
}

function known(id: string): Session {
  const session = open(id);
  if (session.prompts.length === 0) throw notFound(id);
  return session;
}

interface OfSession {
  sessionId: string;
  prompt: ContentBlock[];
  modeId: string;
  modelId: string;
  configId: string;
  value: string;
}

/** As it is sent by whoever is tested. */
const of = (params: unknown) => params as OfSession;

function serve(): void {
  const wire = new AgentWire({
    initialize: () => (setup.silent ? new Promise<never>(() => {}) : initialized()),
    "session/new": () => {
      hear("new");
      if (setup.needsLogin) throw new AnsweredError(-32000, "Authentication required");
      return { sessionId: open(randomId()).id, ...setup.opened };
    },
    "session/load": async (params) => {
      hear("load");
      const session = known(of(params).sessionId);
      if (setup.tellsHistory === "before") await tellHistory(wire, session);
      else session.history = () => tellHistory(wire, session);
      setTimeout(() => void session.tellHistory(), 10);
      return { ...setup.opened };
    },
    "session/resume": (params) => {
      hear("resume");
      known(of(params).sessionId);
      return { ...setup.opened };
    },
    "session/set_mode": (params) => {
      const { sessionId, modeId } = of(params);
      hear(`mode ${modeId}`);
      if (setup.keepsMode === "silently") return new Promise<never>(() => {});
      if (setup.keepsMode) throw new AnsweredError(-32603, "Internal error", { details: "modes are fixed" });
      const update = { sessionUpdate: "current_mode_update", currentModeId: setup.driftsTo };
      if (setup.driftsTo) setImmediate(() => void wire.notify("session/update", { sessionId, update }));
    },
    "session/set_model": (params) => hear(`model ${of(params).modelId}`),
    "session/set_config_option": (params) => {
      hear(`option ${of(params).configId} ${of(params).value}`);
      return { configOptions: setup.opened?.configOptions ?? [] };
    },
    "session/prompt": (params) => prompt(wire, of(params).sessionId, of(params).prompt),
    "session/cancel": (params) => {
      hear("cancel");
      sessions.get(of(params).sessionId)?.cancel.abort();
    },
  });
  if (!setup.deaf) void wire.closed.then(() => process.exit(0));
}

function crashAtStart(): boolean {
  if (!setup.crashes || !existsSync(setup.crashes)) return false;
  const left = Number(readFileSync(setup.crashes, "utf8"));
  if (left > 0) writeFileSync(setup.crashes, String(left - 1));
  return left > 0;
}

hear("start");
if (setup.deaf) {
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, () => {});
  setInterval(() => {}, 1000);
}
if (setup.banner) process.stdout.write(`${setup.banner}\n`);
if (crashAtStart()) {
  process.stderr.write("there is no engine in this car\n");
  process.exit(3);
}
serve();
