import * as z from "zod";
import { DragomanError } from "./errors.ts";
import { clientToolsSchema, inputSchema, type Origin, originSchema, runKinds } from "./events.ts";
import { isUuid } from "./ids.ts";
import { findLast } from "./landmarks.ts";
import { isMasked } from "./redactor.ts";
import { runRulesSchema } from "./rules.ts";
import type { RunRequest, Session } from "./session.ts";
import type { SessionChange } from "./session-handle.ts";
import type { Store } from "./store.ts";

/** What can be asked of a session, from wherever: it is JSON, and done by the owner. */
export type SessionCommand =
  | { do: "prompt"; request: RunRequest & { runId: string }; isNew: boolean }
  | { do: "cancel"; runId: string; reason: string; by?: Origin }
  | { do: "answer"; askId: string; answer: unknown; by: Origin }
  | { do: "update"; change: SessionChange }
  | { do: "close"; reason?: string };

const commands = z.discriminatedUnion("do", [
  z.object({
    do: z.literal("prompt"),
    request: z.object({
      runId: z.string().refine(isUuid, "no UUID"),
      kind: z.enum(runKinds),
      input: inputSchema,
      by: originSchema,
      whenBusy: z.enum(["queue", "refuse"]),
      model: z.string().optional(),
      rules: runRulesSchema.optional(),
    }),
    isNew: z.boolean(),
  }),
  z.object({ do: z.literal("cancel"), runId: z.string(), reason: z.string(), by: originSchema.optional() }),
  z.object({ do: z.literal("answer"), askId: z.string(), answer: z.unknown(), by: originSchema }),
  z.object({
    do: z.literal("update"),
    change: z
      .object({
        title: z.string(),
        model: z.string(),
        engine: z.string(),
        rules: runRulesSchema,
        clientTools: clientToolsSchema,
      })
      .partial(),
  }),
  z.object({ do: z.literal("close"), reason: z.string().optional() }),
]);

/** What comes from another process, as far as it is known here. */
export function checkedCommand(given: unknown): SessionCommand {
  const checked = commands.safeParse(given);
  if (checked.success) return checked.data;
  const what = z.prettifyError(checked.error);
  throw new DragomanError("invalid_params", `The process that has this session does not understand this: ${what}`);
}

/** `again`: whoever did it before died over it, and may have done it. Then what is found done is not done twice, nor refused. */
export async function perform(
  session: Session,
  command: SessionCommand,
  store: Store,
  again: boolean,
): Promise<unknown> {
  try {
    return await performOnce(session, command, again);
  } catch (error) {
    const done = again && error instanceof DragomanError ? await wasDone(session, command, store, error) : undefined;
    if (done === undefined) throw error;
    return done;
  }
}

function performOnce(session: Session, command: SessionCommand, again: boolean): Promise<unknown> {
  switch (command.do) {
    case "prompt":
      return session.prompt(command.request, command.isNew && !again);
    case "cancel":
      return session.cancel(command.runId, command.reason, command.by);
    case "answer":
      return session.answer(command.askId, command.answer, command.by);
    case "update":
      return session.update(command.change);
    case "close":
      return session.close(command.reason);
  }
}

/** The result of a command that the log shows to have been done, although it is now refused. */
async function wasDone(
  session: Session,
  command: SessionCommand,
  store: Store,
  { code }: DragomanError,
): Promise<unknown> {
  if (command.do === "prompt" && code === "conflict") {
    return acceptedRun(store, session.id, command.request.runId);
  }
  if (command.do === "close" && code === "session_closed") return null;
  if (command.do !== "answer" || code !== "ask_closed") return undefined;
  const { askId, by, answer } = command;
  const closed = await findLast(store, session.id, "ask.closed", (event) => event.askId === askId);
  const isOurs = closed?.outcome === "answered" && alike(closed.by, by);
  const isSame = closed?.answer === undefined || isMasked(closed.answer) || wasTaken(closed.answer, answer);
  return isOurs && isSame ? null : undefined;
}

/** What a prompt gives that was done before. */
export async function acceptedRun(store: Store, sessionId: string, runId: string) {
  const { queued = [] } = (await store.session(sessionId)) ?? {};
  return { runId, queued: queued.some((each) => each.runId === runId) };
}

/** Whether the one is what was taken of the other: fields that an answer has besides are not logged. */
function wasTaken(logged: unknown, given: unknown): boolean {
  if (!isObject(logged) || !isObject(given)) return alike(logged, given);
  return Object.entries(logged).every(([key, value]) => alike(value, given[key]));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** As JSON, whatever the order of the keys. */
function alike(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
