import type { Event } from "../core/events.ts";
import { foldAll } from "../dialects/contract.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { profileOf } from "../dialects/profile-of.ts";
import { eventDigest } from "./event-digest.ts";
import type { SeenEvent, SeenFrame } from "./node-client.ts";
import type { Watched } from "./node-process.ts";
import { until } from "./scripted.ts";

interface Against {
  log: Event[];
  sessionId: string;
  dialect: Dialect;
  /** It has had the time to see everything. */
  complete: boolean;
}

/** What is wrong with what a client was told, over its connections one after the other, if the log is right; nothing is right. */
export function faultsOfWatched(connections: Watched[], against: Against): string[] {
  return compared(connections, against, messagesOf(against));
}

/** The same, when all that is still on its way has come. */
export async function faultsInTheEnd(connections: Watched[], of: Omit<Against, "complete">): Promise<string[]> {
  const against = { ...of, complete: true };
  const said = messagesOf(against);
  const faults = () => compared(connections, against, said);
  await until(() => faults().length === 0).catch(() => {}); // what is still wrong is told
  return faults();
}

function compared(connections: Watched[], against: Against, said: string[]): string[] {
  const frames = connections.flatMap((connection) => connection.frames);
  return [
    ...connections.flatMap(({ failed }) => (failed === undefined ? [] : [`the client was cut off: ${failed}`])),
    ...connections.flatMap(({ events }) => eventFaults(events, against.log)),
    ...(against.complete ? incomplete(connections.at(-1), against.log) : []),
    ...frameFaults(frames, said, against.complete),
    ...connections.flatMap((connection) => askFaults(connection.frames)),
  ];
}

/** Each connection reads the events from the first one on. */
function eventFaults(events: SeenEvent[], log: Event[]): string[] {
  return events.flatMap(([seq, digest, type], at) => {
    const kept = log[at];
    if (seq !== at + 1) return [`seq ${seq} was seen in place ${at + 1}`];
    if (!kept) return [`${type}, seq ${seq}, was seen and is not in the log`];
    return eventDigest(kept) === digest ? [] : [`${type}, seq ${seq}, was seen, and is ${kept.type} in the log`];
  });
}

function incomplete(last: Watched | undefined, log: Event[]): string[] {
  const seen = last?.events.length ?? 0;
  return seen === log.length ? [] : [`${seen} of ${log.length} events were seen in the end`];
}

const placed = ({ seq, k }: { seq?: number; k?: number }, digest: string) => `${seq}.${k} ${digest}`;

/** What the log says in a dialect, but for the asks: those that are open are put again. */
function messagesOf({ log, sessionId, dialect }: Against): string[] {
  return foldAll(dialect, log, profileOf(dialect, "everything"), sessionId)
    .filter(({ ask }) => ask === undefined)
    .map((frame) => placed(frame, eventDigest(frame.text)));
}

function frameFaults(frames: SeenFrame[], said: string[], complete: boolean): string[] {
  const told = frames.filter(({ ask }) => ask === undefined).map((frame) => placed(frame, frame.digest));
  const wrong = told.findIndex((one, at) => one !== said[at]);
  if (wrong >= 0) return [`message ${wrong} was ${told[wrong]}, and the log makes ${said[wrong]} of it`];
  return complete && told.length < said.length ? [`${told.length} of ${said.length} messages came`] : [];
}

function askFaults(frames: SeenFrame[]): string[] {
  const asks = frames.flatMap(({ ask }) => ask ?? []);
  return new Set(asks).size === asks.length ? [] : ["an ask was put twice on one connection"];
}
