import { demand, may } from "../../../core/roles.ts";
import { isUnderWay, type SessionSummary } from "../../../core/summary.ts";
import { changeSession, engineOfNew, listedEngines, modelsFor } from "../../engine-choice.ts";
import { isoTime } from "../../iso-time.ts";
import { permissionRules } from "../permissions.ts";
import { changedClientTools, newClientTools } from "./client-tools.ts";
import { checkPermissions, type HandlerOptions, originOf, type SidecarHandlers } from "./handler-options.ts";

type Handled = "session.create" | "session.update" | "session.close" | "session.list" | "engines.list" | "models.list";

export function sessionHandlers(options: HandlerOptions): Pick<SidecarHandlers, Handled> {
  const { services, sessions, caller } = options;
  return {
    "session.create": createHandler(options),
    "session.update": updateHandler(options),
    "session.close": async ({ sessionId }) => {
      await (await sessions.open(sessionId, caller)).session.close();
      return { closed: true };
    },
    "session.list": async ({ limit }) => ({
      workspace: sessions.served,
      sessions: (await sessions.list(limit, caller)).map((one) => ({
        ...listed(one),
        addresses: services.addresses?.(one),
      })),
    }),
    "engines.list": () => ({ engines: listedEngines(services) }),
    "models.list": modelsHandler(options),
  };
}

function modelsHandler({ services, sessions, caller }: HandlerOptions): SidecarHandlers["models.list"] {
  return async ({ engine: wanted, sessionId }) => {
    const now = sessionId === undefined ? services : (await sessions.open(sessionId, caller)).summary;
    const { models, ...about } = await modelsFor(services.runtime, wanted, now);
    return {
      ...about,
      models: models.map(({ id, name, capabilities = [], contextWindow }) => ({
        ...{ id, name, capabilities, contextWindow },
      })),
    };
  };
}

function createHandler(options: HandlerOptions): SidecarHandlers["session.create"] {
  const { services, sessions, listeners, callbacks, caller } = options;
  const { runtime } = services;
  return async ({ workspace, engine, model, title, permissions, ...wanted }, call) => {
    checkPermissions(permissions, caller);
    const clientTools = newClientTools(services, wanted, caller);
    if (clientTools) callbacks.checkRoom();
    const working = await engineOfNew(services, { engine, model });
    const session = await runtime.create({
      workspace: await sessions.workspace(workspace, caller),
      ...working,
      title,
      rules: permissionRules(permissions ?? {}),
      clientTools,
      by: originOf(caller, call),
    });
    if (clientTools?.callback) callbacks.follow(session);
    if (may(caller, "approve")) listeners.add(session)();
    const { createdAt = services.clock.now() } = (await runtime.store.session(session.id)) ?? {};
    return { sessionId: session.id, createdAt: isoTime(createdAt), ...working };
  };
}

function updateHandler({ services, sessions, callbacks, caller }: HandlerOptions): SidecarHandlers["session.update"] {
  return async ({ sessionId, engine, model, title, permissions, ...wanted }) => {
    if (permissions) demand(caller, "approve", "change what a session permits"); // what it denied would be undone
    const { session, summary } = await sessions.open(sessionId, caller);
    const clientTools = changedClientTools(services, wanted, caller, summary.clientTools);
    if (clientTools?.callback) callbacks.checkRoom();
    const rules = permissions && permissionRules(permissions);
    await changeSession(services.runtime, session, summary, { engine, model, title, rules, clientTools });
    if (clientTools?.callback) callbacks.follow(session);
    else if (clientTools) callbacks.unfollow(sessionId);
    else await callbacks.takeUp(session, summary);
    return { updated: true };
  };
}

function listed(summary: SessionSummary) {
  const { sessionId, createdAt, updatedAt, workspace, engine, model, title, lastPrompt, run, lastSeq } = summary;
  return {
    sessionId,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    status: statusOf(summary),
    outcome: run?.status === "failed" || run?.status === "cancelled" ? run.status : undefined,
    workspace,
    engine,
    model,
    title,
    lastPrompt,
    messageId: run?.runId,
    lastSeq,
  };
}

function statusOf(summary: SessionSummary): "idle" | "running" | "waiting" | "closed" {
  if (summary.closed) return "closed";
  if (summary.asks.some(({ kind }) => kind !== "tool")) return "waiting"; // a plugin that runs a tool is at work
  return isUnderWay(summary) || summary.queued.length > 0 ? "running" : "idle";
}
