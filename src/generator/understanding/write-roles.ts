import { wordsOf } from "./names.ts";
import type { SchemaView } from "./schema-view.ts";
import { type Call, isOnAll, isOnItem, type Seat } from "./seats.ts";

// Which calls make, change and remove records.

const hasBody = (call: Call): boolean => call.endpoint.requestBody !== undefined;

/** A POST to the only one of its kind changes it, unless something else does that. */
export function createIn(seat: Seat, left: Call[], isOnly: boolean): Call | undefined {
  if (isOnly && !left.some((call) => isOnAll(seat, call) && ["PUT", "PATCH"].includes(call.endpoint.method)))
    return undefined;
  const candidates = left.filter(
    (call) => isOnAll(seat, call) && (call.shape.verb === "create" || call.shape.verb === undefined),
  );
  const plain = candidates.filter((call) => call.endpoint.method === "POST" && call.shape.qualifier === undefined);
  const isSingle = seat.level === 0 && !seat.calls.some((call) => call.shape.verb !== undefined);
  return (
    plain.find((call) => call.shape.verb === undefined && (hasBody(call) || !isSingle)) ??
    plain.find((call) => call.shape.verb === "create")
  );
}

/** Part of a record rather than all of it; on one rather than on the collection. A body is needed: without one it is an action. */
export function updateIn(view: SchemaView, seat: Seat, left: Call[], onOne: (call: Call) => boolean): Call | undefined {
  const ranked = ["PATCH", "PUT", "POST"];
  const candidates = left.filter(
    (call) =>
      hasBody(call) &&
      call.shape.qualifier === undefined &&
      (call.shape.verb === "update" || call.shape.verb === undefined) &&
      ranked.includes(call.endpoint.method) &&
      !saysCreate(call),
  );
  // A JSON Patch, or a body of which nothing is known, is no form to fill in.
  const effort = (call: Call): number => (sendsFields(view, call) ? 0 : 10) + ranked.indexOf(call.endpoint.method);
  candidates.sort((one, other) => effort(one) - effort(other));
  const isOnCollection = (call: Call): boolean =>
    isOnAll(seat, call) && call.endpoint.method !== "POST" && sendsFields(view, call);
  return candidates.find((call) => onOne(call) && !sendsList(view, call)) ?? candidates.find(isOnCollection);
}

/** A body that is a list changes many at once. */
function sendsList(view: SchemaView, call: Call): boolean {
  return Object.values(call.endpoint.requestBody?.content ?? {}).every(
    ({ schema }) => view.resolve(schema).type === "array",
  );
}

function sendsFields(view: SchemaView, call: Call): boolean {
  return Object.values(call.endpoint.requestBody?.content ?? {}).some(({ schema }) => {
    const whole = view.resolve(schema);
    return Object.keys(whole.properties ?? {}).length > 0 || whole.unionOf !== undefined;
  });
}

function saysCreate(call: Call): boolean {
  const words = wordsOf(call.endpoint.operationId ?? call.endpoint.summary ?? "");
  return (
    call.endpoint.method === "PUT" &&
    words.includes("create") &&
    !words.includes("update") &&
    !words.includes("replace")
  );
}

export function createByPut(seat: Seat, left: Call[]): Call | undefined {
  return left.find((call) => isOnItem(seat, call) && saysCreate(call) && call.shape.verb === undefined);
}

export function removeIn(left: Call[], onOne: (call: Call) => boolean): Call | undefined {
  const candidates = left.filter((call) => onOne(call) && call.shape.qualifier === undefined);
  return (
    candidates.find((call) => call.endpoint.method === "DELETE" && call.shape.verb === undefined) ??
    candidates.find((call) => call.shape.verb === "remove")
  );
}
