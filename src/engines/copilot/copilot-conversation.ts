import type {
  CopilotClient,
  CopilotSession,
  PermissionRequest,
  PermissionRequestResult,
  SessionEvent,
  ToolResultObject,
} from "@github/copilot-sdk";
import type { OfferedTool } from "../../core/engine.ts";
import { DragomanError, messageOf } from "../../core/errors.ts";
import { randomId } from "../../core/ids.ts";
import { notLoggedIn } from "./copilot-failure.ts";
import type { InputRequest, InputResponse, PlanRequest, PlanResponse } from "./copilot-input.ts";
import type { CopilotOptions } from "./copilot-options.ts";
import { type SessionPlan, sessionConfig, stateFolder } from "./copilot-session.ts";
import { type ClientTools, clientTools } from "./copilot-tools.ts";

/** An MCP server of the user's own may take its time before there is a session. */
const OPEN_MS = 120_000;

/** Whoever is worked for: hears of what happens, and decides what is asked. None of these throws. */
export interface CopilotUser {
  hear(event: SessionEvent): void;
  permit(request: PermissionRequest): Promise<PermissionRequestResult>;
  answer(request: InputRequest): Promise<InputResponse>;
  judgePlan(request: PlanRequest): Promise<PlanResponse>;
  useTool(name: string, args: unknown): Promise<ToolResultObject>;
}

/** When Copilot goes on by itself while nobody works with it, it is allowed nothing. */
const nobody: CopilotUser = {
  hear() {},
  permit: async () => ({ kind: "reject", feedback: "There is nobody to ask now. Wait for the user's next message." }),
  answer: async () => ({ answer: "There is nobody to ask now.", wasFreeform: true }),
  judgePlan: async () => ({ approved: false }),
  useTool: async () => ({ textResultForLlm: "There is nobody who could run it now.", resultType: "failure" }),
};

export interface Wanted {
  sessionId: string;
  /** The conversation to go on with. */
  agentSession?: string;
  model?: string;
  offered: readonly OfferedTool[];
}

/** `lost`: why the earlier conversation could not be gone on with. */
export interface Opened {
  id: string;
  lost?: string;
}

interface Around {
  options: CopilotOptions;
  workspace: string;
  client: CopilotClient;
  /** Waits for an answer, but neither for ever nor longer than there is a runtime. One that is a failure is the cause of what is thrown. */
  wait<T>(answer: Promise<T>, ms?: number): Promise<T>;
}

/** The conversation that Copilot has about a session of ours. */
export class CopilotConversation {
  user: CopilotUser = nobody;
  readonly #around: Around;
  #session: CopilotSession | undefined;
  #model: string | undefined;
  #tools: ClientTools | undefined;

  constructor(around: Around) {
    this.#around = around;
  }

  /** Where Copilot keeps what it has written down for itself. */
  get folder(): string | undefined {
    return this.#session && stateFolder(this.#around.options, this.#session.sessionId);
  }

  isClientTool(name: string): boolean {
    return this.#tools?.names.has(name) ?? false;
  }

  leave(): void {
    this.user = nobody;
  }

  /** Has it ready for a turn with this model and these tools. */
  async open(wanted: Wanted): Promise<Opened> {
    const tools = clientTools(wanted.offered, (name, args) => this.user.useTool(name, args));
    const isReady = this.#session !== undefined && tools.key === this.#tools?.key;
    const opened = isReady ? { id: this.#current().sessionId } : await this.#reopen(wanted, tools);
    const { model } = wanted;
    if (model !== undefined && model !== this.#model) await this.#around.wait(this.#current().setModel(model));
    this.#model = model ?? this.#model;
    return opened;
  }

  /** Resolves with the message's id when it is on its way. */
  async send(prompt: string): Promise<string> {
    return this.#around.wait(this.#current().send({ prompt }));
  }

  async abort(): Promise<void> {
    await this.#around.wait(this.#current().abort());
  }

  async todos() {
    return (await this.#around.wait(this.#current().rpc.plan.readSqlTodosWithDependencies())).rows;
  }

  async #reopen(wanted: Wanted, tools: ClientTools): Promise<Opened> {
    const earlier = this.#session?.sessionId ?? wanted.agentSession;
    if (this.#session === undefined && !this.#around.options.provider) await this.#checkLogin();
    if (earlier === undefined) return this.#create(wanted.sessionId, wanted, tools);
    try {
      await this.#resume(earlier, wanted, tools);
      return { id: earlier };
    } catch (error) {
      if (!(error instanceof DragomanError && error.cause)) throw error; // it did not answer at all
      const lost = messageOf(error.cause);
      if (/I\/O error/i.test(lost)) throw error; // what cannot be read now may well be the next time
      // Under the same id, what is still there of it would be overwritten.
      const id = /session not found/i.test(lost) ? earlier : randomId();
      return { ...(await this.#create(id, wanted, tools)), lost };
    }
  }

  async #create(id: string, wanted: Wanted, tools: ClientTools): Promise<Opened> {
    const { client, options, wait } = this.#around;
    const config = sessionConfig(options, this.#plan(id, wanted, tools));
    await this.#take(await wait(client.createSession({ ...config, sessionId: id }), OPEN_MS), tools);
    this.#model = wanted.model;
    return { id };
  }

  /** The model may be another one than that of then, and is chosen anew. */
  async #resume(id: string, wanted: Wanted, tools: ClientTools): Promise<void> {
    const { client, options, wait } = this.#around;
    const config = sessionConfig(options, this.#plan(id, wanted, tools));
    await this.#take(await wait(client.resumeSession(id, config), OPEN_MS), tools);
    this.#model = undefined;
  }

  /** What the user has once allowed Copilot itself in this folder would not be asked about, and so not be judged by our rules. */
  async #take(session: CopilotSession, tools: ClientTools): Promise<void> {
    await this.#around.wait(session.rpc.permissions.resetSessionApprovals({ includeLocation: true }));
    this.#session = session;
    this.#tools = tools;
  }

  #plan(id: string, { model = this.#model }: Wanted, tools: ClientTools): SessionPlan {
    return {
      id,
      workspace: this.#around.workspace,
      model,
      tools: tools.config,
      handlers: {
        onEvent: (event) => this.user.hear(event),
        onPermissionRequest: (request) => this.user.permit(request),
        onUserInputRequest: (request) => this.user.answer(request),
        onExitPlanModeRequest: (request) => this.user.judgePlan(request),
      },
    };
  }

  async #checkLogin(): Promise<void> {
    const { isAuthenticated } = await this.#around.wait(this.#around.client.getAuthStatus());
    if (!isAuthenticated) throw notLoggedIn();
  }

  #current(): CopilotSession {
    if (!this.#session) throw new Error("The conversation was not opened.");
    return this.#session;
  }
}
