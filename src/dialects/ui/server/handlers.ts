import type { Origin } from "../../../core/events.ts";
import { Gate } from "../../../core/gate.ts";
import { randomId } from "../../../core/ids.ts";
import { type Caller, may } from "../../../core/roles.ts";
import { type RunRules, withoutAllow } from "../../../core/rules.ts";
import type { RunStatus, SessionSummary } from "../../../core/summary.ts";
import { isoTime } from "../../iso-time.ts";
import type { RpcCall, RpcHandlers } from "../../json-rpc.ts";
import type { calls } from "../calls.ts";
import type { Desk } from "./desk.ts";
import { sendHistory, statusOfRun } from "./history.ts";
import { modelHandlers, usualFor } from "./models.ts";
import { capabilitiesOf } from "./permitted.ts";
import { reservedHandlers } from "./reserved.ts";
import type { Services } from "./services.ts";
import { runInput, type UiContext } from "./ui-input.ts";
import { watchHandlers } from "./watch-handlers.ts";

export type UiHandlers = RpcHandlers<typeof calls>;

type Make<Params, Result> = (params: Params, call: RpcCall) => Promise<Result>;
/** Makes a handler of one whose answer may be long. */
export type Unhurried = <Params, Result>(make: Make<Params, Result>) => Make<Params, Result>;

const PROTOCOL_VERSION = "0";

const serverCapabilities = {
  supports_run_cancel: true,
  supports_ui_requests: true,
  supports_mcp_list: true,
  supports_skills_list: true,
  supports_artifacts: true,
  supports_workspace: true,
  supports_history_export: true,
  supports_todos: true,
  supports_watch: true,
  supports_engines: true,
};

/** What a connection has been told so far. */
export interface Told {
  /** As the UI's program calls itself. */
  client: string;
  /** Who it is known to be, whatever it says. */
  caller?: Caller;
  /** What does the work of sessions that begin later. */
  chosen?: { engine: string; model?: string };
  seen: UiContext;
}

interface HandlerOptions {
  services: Services;
  desk: Desk;
  told: Told;
  connection: string;
  send(json: string): void;
  /** Resolves when there is room to send more. */
  room(): Promise<void>;
}

/** What is long is made for so many calls at once, and while the UI reads. */
const MOST_LONG_ANSWERS = 4;

function unhurriedWith(room: () => Promise<void>): Unhurried {
  const gate = new Gate(MOST_LONG_ANSWERS);
  let last = Promise.resolve();
  /** One is handed over after the other, each when there is room: several at once are too much for a slow line. */
  const turn = async (call: RpcCall) => {
    const before = last;
    last = new Promise((resolve) => call.afterwards(resolve));
    await before;
    await room();
  };
  return (make) => (params, call) =>
    gate.pass(async () => {
      await room();
      const result = await make(params, call);
      await turn(call);
      return result;
    });
}

/** One function for each method of the document. */
export function uiHandlers(options: HandlerOptions): UiHandlers {
  const { services, desk, told, room } = options;
  const unhurried = unhurriedWith(room);
  return {
    initialize: ({ client, ui_capabilities = {} }, call) => {
      // It will be wanted next, and whoever wants it is told what is wrong; but not before the answer has left.
      call.afterwards(() => setImmediate(() => void desk.node().catch(() => {})));
      told.client = client.name;
      desk.profile = capabilitiesOf(ui_capabilities, told.caller);
      const { server } = services;
      return { protocol_version: PROTOCOL_VERSION, server, server_capabilities: serverCapabilities };
    },
    /** All there is, as in the start of a run: a selection that is left out is no longer there. */
    "ui.context.update": (context) => {
      told.seen = context;
      return {};
    },
    ...runHandlers(options),
    ...sessionHandlers(options, unhurried),
    ...watchHandlers(desk, options.send),
    ...modelHandlers(desk, told),
    ...reservedHandlers(services, desk, unhurried, told.caller),
    ...configured(services, desk, unhurried),
  };
}

type Configured = Pick<UiHandlers, "mcp.list" | "skills.list">;

function configured(services: Services, desk: Desk, unhurried: Unhurried): Configured {
  return {
    "mcp.list": async ({ scope }) => ({
      servers: (await services.mcpServers(scope)).map(({ lastError, lastConnectedAt, ...server }) => ({
        ...server,
        last_error: lastError,
        last_connected_at: lastConnectedAt,
      })),
    }),
    "skills.list": unhurried(async ({ cwd = "", force_reload }) => {
      const folder = await desk.visible.folder(cwd);
      const { skills, errors, truncated } = await services.skills(folder, force_reload);
      return { skills: skills.map(({ mtimeMs: mtime_ms, ...skill }) => ({ ...skill, mtime_ms })), errors, truncated };
    }),
  };
}

function speakerOf({ client, caller }: Told): Origin {
  return { dialect: "ui", client, ...(caller && { user: caller.name }) };
}

export function originOf(told: Told, connection: string, requestId?: RpcCall["id"]): Origin {
  return { ...speakerOf(told), connection, requestId };
}

/** What others allowed in a session is not there for who may not approve. */
function rulesOf({ caller }: Told): { rules?: RunRules } {
  return caller && !may(caller, "approve") ? { rules: withoutAllow(undefined) } : {};
}

type RunHandlers = Pick<UiHandlers, "run.start" | "run.cancel">;

function runHandlers(options: HandlerOptions): RunHandlers {
  const { desk, told, connection } = options;
  return {
    "run.start": ({ session_id, input, ui_context, meta, engine, model }, call) => {
      if (ui_context) told.seen = ui_context;
      const request = { kind: "prompt" as const, input: runInput({ input, meta }, told.seen), ...rulesOf(told) };
      return desk.inTurn(async () => {
        const about = {
          fresh: meta?.new_session === true,
          by: speakerOf(told),
          usual: usualFor(await desk.node(), told),
        };
        const { attachment, working } = await desk.take(session_id, about, { engine, model });
        const release = attachment.hold(); // what the run says comes after the answer that names it
        call.afterwards(() => {
          attachment.follow();
          release();
        });
        const by = originOf(told, connection, call.id);
        const before = attachment.runId;
        const runId = randomId();
        attachment.runId = runId; // it may end before the answer to this
        try {
          await attachment.session.prompt({ ...request, runId, by, model, whenBusy: "refuse" });
        } catch (error) {
          attachment.runId = before;
          desk.giveBack(attachment);
          throw error;
        }
        desk.started(runId, attachment);
        return { run_id: runId, session_id: attachment.session.id, ...working };
      });
    },
    "run.cancel": async ({ run_id, reason }, call) => {
      const session = await desk.sessionOfRun(run_id);
      const by = originOf(told, connection, call.id);
      const { accepted, status } = await session.cancel(run_id, reason ?? "cancelled by the user", by);
      return { ok: accepted || status === "cancelled", status: wireStatus[status] };
    },
  };
}

const wireStatus: Record<RunStatus, "running" | "completed" | "error" | "cancelled"> = {
  running: "running",
  cancelling: "running",
  completed: "completed",
  failed: "error",
  cancelled: "cancelled",
};

type SessionHandlers = Pick<UiHandlers, "session.list" | "session.history">;

function sessionHandlers({ services, desk, send, room }: HandlerOptions, unhurried: Unhurried): SessionHandlers {
  return {
    "session.list": unhurried(async ({ limit, workspace_root: workspace }) => {
      const sessions = limit === 0 ? [] : await desk.visible.list(limit, workspace);
      return { sessions: sessions.map((one) => ({ ...listed(one), addresses: services.addresses?.(one) })) };
    }),
    "session.history": unhurried(async ({ session_id, max_runs, max_events }, call) => {
      const sessionId = await desk.named(session_id);
      const { store } = (await desk.node()).runtime;
      const attachment = await desk.look(sessionId);
      const release = attachment?.hold(); // live events wait for it
      let status: string | undefined;
      call.afterwards(() => {
        if (status !== undefined) send(status);
        attachment?.follow();
        release?.();
      });
      const until = attachment?.seen ?? (await store.session(sessionId))?.lastSeq ?? 0;
      const about = { store, sessionId, profile: attachment?.profile ?? desk.profile, until };
      if (attachment && !attachment.follows) status = await statusOfRun(about);
      const sent = await sendHistory({ ...about, maxRuns: max_runs, maxEvents: max_events, send, room });
      return { runs: sent.runs, events_sent: sent.eventsSent, ...(sent.truncated && { truncated: true }) };
    }),
  };
}

function listed(summary: SessionSummary) {
  const { sessionId, updatedAt, run, messages, lastPrompt, workspace, title, closed, lastSeq, engine, model } = summary;
  return {
    session_id: sessionId,
    updated_at: isoTime(updatedAt),
    run_id: run?.runId,
    message_count: messages,
    last_user_message: lastPrompt,
    workspace_root: workspace,
    title,
    status: closed ? "closed" : run ? wireStatus[run.status] : undefined,
    engine,
    model,
    last_seq: lastSeq,
  };
}
