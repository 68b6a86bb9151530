import type { Endpoint } from "../normalized-spec.ts";
import { type Answer, answerOf } from "./answers.ts";
import { keyOf, lastWordAt, looseKeyOf, type PathShape, type Step, shapeOf } from "./path-shape.ts";

/** An operation with what its path and its answer say. */
export interface Call {
  endpoint: Endpoint;
  shape: PathShape;
  answer: Answer;
  /** How many parameters its path ends with. */
  trailing: number;
}

/** The calls of one kind of thing: those on all of it, and those on one. */
export interface Seat {
  /** Up to the word that names it. */
  steps: Step[];
  calls: Call[];
  /** How many parameters pick one of it. 0 if none does. */
  level: number;
}

export function seatsOf(endpoints: Endpoint[]): Seat[] {
  const seats = new Map<string, Seat>();
  for (const endpoint of endpoints) {
    const shape = shapeOf(endpoint.path, endpoint.method);
    const at = lastWordAt(shape.steps);
    const steps = shape.steps.slice(0, at + 1);
    const call: Call = { endpoint, shape, answer: answerOf(endpoint), trailing: shape.steps.length - at - 1 };
    const seat = seats.get(keyOf(steps));
    if (seat === undefined) seats.set(keyOf(steps), { steps, calls: [call], level: 0 });
    else seat.calls.push(call);
  }
  const all = joinedBySingular([...seats.values()]);
  for (const seat of all) seat.level = levelOf(seat);
  return all;
}

/** "/pets" and "/pet/{id}" are about one thing, but not if both say what all of it, or what one of it, is. */
function joinedBySingular(seats: Seat[]): Seat[] {
  const joined = new Map<string, Seat>();
  const apart: Seat[] = [];
  for (const seat of seats) {
    const key = looseKeyOf(seat.steps);
    const other = joined.get(key);
    if (other === undefined) joined.set(key, seat);
    else if (other.calls.some((one) => seat.calls.some((call) => isSameDeed(one, call)))) apart.push(seat);
    else other.calls.push(...seat.calls);
  }
  return [...joined.values(), ...apart];
}

function isSameDeed(one: Call, other: Call): boolean {
  return (
    one.endpoint.method === other.endpoint.method &&
    one.trailing > 0 === other.trailing > 0 &&
    one.shape.verb === other.shape.verb
  );
}

/**
 * Of "/gists/{id}" and "/gists/{id}/{sha}" the level with the more different deeds, or else the nearer one. But
 * "/backups/{place}", where things are only listed and made, is the collection of "/backups/{place}/{id}".
 */
function levelOf(seat: Seat): number {
  const deeds = new Map<number, Set<string>>();
  for (const { trailing, endpoint, shape } of seat.calls) {
    if (trailing === 0 || shape.verb === "list") continue;
    deeds.set(trailing, (deeds.get(trailing) ?? new Set()).add(endpoint.method));
  }
  const levels = [...deeds].sort(([one, some], [other, others]) => others.size - some.size || one - other);
  const best = levels[0]?.[0] ?? 0;
  const deeper = deeds.get(best + 1);
  const isCollection =
    !seat.calls.some((call) => call.trailing < best) &&
    [...(deeds.get(best) ?? [])].every((method) => method === "GET" || method === "POST");
  return best > 0 && isCollection && deeper !== undefined && [...deeper].some((method) => method !== "POST")
    ? best + 1
    : best;
}

/** Whether a call is on all of a thing: also "/templates/{type}", where "/templates/{type}/{name}" is one. */
export function isOnAll(seat: Seat, call: Call): boolean {
  return call.trailing === 0 || (seat.level > 1 && call.trailing === seat.level - 1);
}

export function isOnItem(seat: Seat, call: Call): boolean {
  return seat.level > 0 && call.trailing === seat.level;
}
