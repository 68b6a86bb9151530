import type { Engine } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import type { Event, RunInput } from "../core/events.ts";
import { thisProcess } from "../core/process-identity.ts";
import { Runtime, type RuntimeOptions } from "../core/runtime.ts";
import { memoryStore } from "../stores/memory.ts";
import { lostProcess, me, ofType } from "./one-session.ts";
import { readAll } from "./read-all.ts";
import { until } from "./scripted.ts";

export interface CrashedRun extends Pick<RuntimeOptions, "tools" | "ruleBook" | "secrets"> {
  /** Each process has an engine of its own. */
  engine(): Engine | Promise<Engine>;
  input: RunInput;
  workspace?: string;
  /** What each ask is answered with, in their order. */
  answers: unknown[];
  /** Before which of the answers the process dies, so that another one takes over; counted from 0. */
  crashes: number[];
}

/** Runs a prompt to its end through any number of processes, and gives the log. */
export async function crashedRun(about: CrashedRun): Promise<Event[]> {
  const { input, workspace = process.cwd(), answers, crashes, engine: newEngine, ...equipment } = about;
  const store = memoryStore();
  // Only those that are still to crash look lost: a process that crashed is still here, and would take the session back from the last one.
  const newProcess = async (from: number) => {
    const engine = await newEngine();
    const identity = crashes.some((crash) => crash >= from) ? lostProcess() : thisProcess();
    return { engine, runtime: new Runtime({ store, engines: [engine], identity, ...equipment }) };
  };
  const { runtime, engine } = await newProcess(0);
  let session = await runtime.create({ workspace, engine: engine.name });
  session.attach(["confirm", "prompt", "pick"]);
  await session.prompt({ kind: "prompt", input, by: me, whenBusy: "refuse" });
  const log = () => readAll(store, session.id);
  for (const [index, answer] of answers.entries()) {
    const asks = async () => ofType(await log(), "ask.opened");
    await until(async () => (await asks()).length > index || !(await session.busy()), `ask ${index + 1}`);
    const ask = (await asks())[index];
    if (!ask) break;
    if (crashes.includes(index)) {
      const next = (await newProcess(index + 1)).runtime;
      await next.own(session.id);
      session = await next.open(session.id);
      session.attach(["confirm", "prompt", "pick"]);
    }
    await session.answer(ask.askId, answer, me).catch(unlessLost);
  }
  await session.settled();
  return log();
}

/** A run that nobody can go on with takes no answer any more; its log says why. */
function unlessLost(error: unknown): void {
  if (!(error instanceof DragomanError) || error.code !== "ask_closed") throw error;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** What depends on when something was done, and by which ids. */
const passing = new Set(["seq", "at", "expiresAt", "durationMs", "digest"]);

/** A log without what is other each time: times, and ids but for which of them are the same. */
export function timeless(events: Event[], workspace = process.cwd()): unknown[] {
  const ids = new Map<string, string>();
  const named = (id: string) => ids.get(id) ?? ids.set(id, `id ${ids.size + 1}`).get(id) ?? id;
  const text = (value: string) =>
    value
      .replaceAll(workspace, "<workspace>")
      .replace(UUID, named)
      .replace(/\d+ ms/g, "<n> ms");
  const strip = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(strip);
    if (value === null || typeof value !== "object") return value;
    const kept = Object.entries(value).filter(([key]) => !passing.has(key));
    return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner)]));
  };
  return events.map(strip);
}
