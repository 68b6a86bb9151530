import { ManualClock } from "../core/clock.ts";
import type { Engine, EngineIO, Turn } from "../core/engine.ts";
import type { Event, EventType, Origin, Question } from "../core/events.ts";
import { seededIds } from "../core/ids.ts";
import { type ProcessIdentity, thisHost } from "../core/process-identity.ts";
import { Runtime } from "../core/runtime.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import type { Store } from "../core/store.ts";
import { memoryStore } from "../stores/memory.ts";
import { readAll } from "./read-all.ts";
import { scripted, until } from "./scripted.ts";

// One session on a clock that stands still, with an engine that is written where it is used.

export const me: Origin = { dialect: "ui", client: "test" };
export const other: Origin = { dialect: "sidecar", user: "Ada" };
export const confirm: Question = { kind: "confirm", title: "Go on?", message: "It is safe" };

export type Script = (turn: Turn, io: EngineIO, signal: AbortSignal) => Promise<string>;

export function prompt(session: SessionHandle, text: string, whenBusy: "queue" | "refuse" = "queue") {
  return session.prompt({ kind: "prompt", input: { text }, by: me, whenBusy });
}

/** As if the process had ended: whoever comes next takes its sessions over at once. */
export const lostProcess = (): ProcessIdentity => ({ host: thisHost(), pid: 2 ** 22 + 1, startedAt: "long ago" });

/** The first owner of the session is as good as lost from the beginning. */
export async function start(script: Script, store: Store = memoryStore()) {
  const clock = new ManualClock();
  const engines: Engine[] = [scripted(script)];
  const identity = lostProcess();
  const runtime = new Runtime({ store, engines, clock, newId: seededIds("session"), identity });
  const session = await runtime.create({ workspace: "/w", engine: "scripted" });
  const log = () => readAll(store, session.id);
  const types = async () => (await log()).map((event) => event.type);
  return { clock, runtime, session, store, log, types, engines };
}

/** Another process takes the session over. */
export async function takenOver(store: Store, engines: Engine[], sessionId: string) {
  const runtime = new Runtime({ store, engines, identity: lostProcess() });
  await runtime.own(sessionId);
  return { runtime, session: await runtime.open(sessionId) };
}

/** A session whose run has asked and waits. */
export async function asking(script: Script) {
  const started = await start(script);
  const detach = started.session.attach(["confirm", "prompt", "pick"]);
  const { runId } = await prompt(started.session, "ask me");
  await until(async () => (await started.types()).includes("ask.opened"), "the ask");
  const [ask] = ofType(await started.log(), "ask.opened");
  if (!ask) throw new Error("no ask");
  return { ...started, runId, askId: ask.askId, ask, detach };
}

export const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

export const ofType = <T extends EventType>(events: Event[], type: T) =>
  events.filter((event): event is Extract<Event, { type: T }> => event.type === type);

/** A store that keeps appends of such an event waiting until they are released. */
export function holdingBack(type: EventType): { store: Store; release(): void } {
  const inner = memoryStore();
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const store: Store = {
    ...inner,
    append: async (...args) => {
      if (args[1].some((draft) => draft.type === type)) await gate;
      return inner.append(...args);
    },
  };
  return { store, release: () => release() };
}
