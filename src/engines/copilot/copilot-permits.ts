import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import type { PermissionRequest, PermissionRequestResult } from "@github/copilot-sdk";
import { atMost } from "../../core/at-most.ts";
import type { Clock } from "../../core/clock.ts";
import type { Permission } from "../../core/engine.ts";
import { isWithin } from "../../tools/real-path.ts";
import type { AgentCalls } from "../agent-calls.ts";
import type { AgentAction } from "../agent-policy.ts";
import { aboutCall } from "./copilot-own-tools.ts";
import { actionOf, shownAction } from "./copilot-permission.ts";
import type { InOrder } from "./in-order.ts";

type Refusal = Extract<Permission, { allowed: false }>;

/** So long a call is waited for that is asked about before it is told of. */
const TELLING_MS = 500;

interface Around {
  clock: Clock;
  calls: AgentCalls;
  events: InOrder;
  workspace: string;
  /** Where Copilot keeps what it has written down for itself. */
  ownFolder(): string | undefined;
  isClientTool(name: string): boolean;
  isOfSubAgent(callId: string): boolean;
  /** Has Copilot break off all that it does. */
  stop(): void;
}

/** What Copilot asks to be allowed in one run. */
export class CopilotPermits {
  readonly #around: Around;
  /** By call and action: some of it is asked twice at once. */
  readonly #given = new Map<string, Promise<Permission>>();
  /** By call, when it is told of. */
  readonly #telling = new Map<string, { told: Promise<void>; tell(): void }>();
  #refused: string | undefined;

  constructor(around: Around) {
    this.#around = around;
  }

  /** What was refused without a word more: there Copilot was to stop. */
  get refused(): string | undefined {
    return this.#refused;
  }

  /** The client's tool was refused in this way. */
  refuse(tool: string): void {
    this.#refused = `use ${tool}`;
    this.#around.stop();
  }

  /** Copilot has told of this call. */
  toldOf(callId: string): void {
    this.#tellingOf(callId).tell();
  }

  async decide(request: PermissionRequest): Promise<PermissionRequestResult> {
    const { calls, events, workspace, isClientTool, clock } = this.#around;
    if (request.kind === "custom-tool" && isClientTool(request.toolName)) return { kind: "approve-once" }; // asked there
    const action = actionOf(request, workspace);
    const callId = request.toolCallId ?? `without a call: ${JSON.stringify(action)}`;
    // A sub-agent's may be told of a moment later. And what was told may still wait to be written.
    if (request.toolCallId !== undefined) await atMost(TELLING_MS, this.#tellingOf(callId).told, clock);
    await events.add(() => calls.request(callId, aboutOf(request, workspace)));
    const permission = (await this.#isOwn(action)) ? { allowed: true as const } : await this.#once(callId, action);
    if (!permission.allowed) return this.#refusal(permission, action, callId);
    if (request.toolCallId === undefined) await calls.finish(callId, {}); // no one else tells of its end
    return { kind: "approve-once" };
  }

  #tellingOf(callId: string) {
    const known = this.#telling.get(callId);
    if (known) return known;
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const telling = { told, tell };
    this.#telling.set(callId, telling);
    return telling;
  }

  #once(callId: string, action: AgentAction): Promise<Permission> {
    const key = createHash("sha256")
      .update(`${callId} ${JSON.stringify(action)}`) // which may be long, with a diff in it
      .digest("base64");
    const given = this.#given.get(key) ?? this.#around.calls.permit(callId, action);
    this.#given.set(key, given);
    return given;
  }

  /** With words for the model it goes on; without any it stops, and a sub-agent does not stop alone. */
  #refusal({ message, goOn, code }: Refusal, action: AgentAction, callId: string): PermissionRequestResult {
    if (goOn) return { kind: "reject", feedback: message };
    if (code !== "denied") return { kind: "reject" }; // the run is being cancelled
    this.#refused = shownAction(action, this.#around.workspace);
    if (this.#around.isOfSubAgent(callId)) this.#around.stop();
    return { kind: "reject" };
  }

  /** Its own notes, and output that was too long to be told whole. */
  async #isOwn(action: AgentAction): Promise<boolean> {
    const folder = this.#around.ownFolder();
    if (action.does !== "read" || folder === undefined) return false;
    try {
      const [own, ...paths] = await Promise.all([folder, ...action.paths].map((path) => realpath(path)));
      return own !== undefined && paths.every((path) => isWithin(own, path));
    } catch {
      return false; // it is not there
    }
  }
}

/** For a call that was not told of yet, or never is. */
function aboutOf(request: PermissionRequest, workspace: string) {
  const { kind, toolCallId, ...args } = request;
  return aboutCall("toolName" in request ? request.toolName : kind, args, workspace);
}
