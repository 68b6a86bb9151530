import { isObject } from "./incoming.ts";
import type { UpdateKind, Updates } from "./protocol.ts";

/** What was told, as it came. */
export type Told = { [K in UpdateKind]: { type: K; params: Updates[K] } }[UpdateKind];

type Fields = Record<string, unknown>;

interface Shape {
  type: UpdateKind;
  /** Whether what the client itself relies on is there; the rest is the consumer's. */
  fits(params: Fields): boolean;
}

const isText = (value: unknown) => typeof value === "string";
const ofRun = (params: Fields) => isText(params.run_id);

const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [
    "agent.event",
    {
      type: "event",
      fits: (params) =>
        ofRun(params) && Number.isSafeInteger(params.seq) && isObject(params.event) && isText(params.event.type),
    },
  ],
  ["run.status", { type: "status", fits: (params) => ofRun(params) && isText(params.status) }],
  ["run.context", { type: "context", fits: ofRun }],
  ["todos.update", { type: "todos", fits: (params) => ofRun(params) && Array.isArray(params.todos) }],
  ["artifact.created", { type: "artifact", fits: (params) => ofRun(params) && isText(params.artifact_id) }],
  ["run.lost", { type: "lost", fits: ({ lost }) => Array.isArray(lost) && lost.every(isLoss) }],
]);

const isLoss = (one: unknown) => isObject(one) && isText(one.run_id) && Array.isArray(one.seqs);

/** A notification as news of a run; `undefined` when it is none that is known, or lacks what makes it one. */
export function readUpdate(method: string, params: unknown): Told | undefined {
  const shape = shapes.get(method);
  if (!shape || !isObject(params) || !shape.fits(params)) return undefined;
  return { type: shape.type, params } as unknown as Told;
}
