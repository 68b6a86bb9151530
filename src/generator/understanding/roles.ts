import type { Schema } from "../normalized-spec.ts";
import { asksForPages } from "./list-parameters.ts";
import { wordsOf } from "./names.ts";
import { nounKey } from "./path-shape.ts";
import { singularOf } from "./plurals.ts";
import { recordParam } from "./record-param.ts";
import { type RecordPlace, recordOf } from "./records.ts";
import { type RowHints, type Rows, rowsOf } from "./rows.ts";
import type { SchemaView } from "./schema-view.ts";
import { type Call, isOnAll, isOnItem, type Seat } from "./seats.ts";
import { createByPut, createIn, removeIn, updateIn } from "./write-roles.ts";

export interface ListCall {
  call: Call;
  rows: Rows;
}

export interface DetailCall {
  call: Call;
  record: RecordPlace;
}

/** What each call of a seat is for. */
export interface Roles {
  lists: ListCall[];
  detail?: DetailCall;
  create?: Call;
  update?: Call;
  remove?: Call;
  /** What is none of these. */
  rest: Call[];
}

export function rolesOf(view: SchemaView, seat: Seat): Roles {
  if (isOneThing(view, seat)) seat.level = 0;
  const left = new Set(seat.calls);
  const take = <Found>(found: Found | undefined, call: (found: Found) => Call): Found | undefined => {
    if (found !== undefined) left.delete(call(found));
    return found;
  };
  const noun = nounOf(seat);
  const detail = take(detailIn(view, seat, noun), (found) => found.call);
  const model = detail === undefined ? undefined : view.modelOf(detail.record.schema);
  const lists = listsIn(view, seat, { model, record: detail?.record.schema }, [...left]);
  for (const list of lists) left.delete(list.call);
  const isListedByPath =
    detail === undefined &&
    lists.some(({ call }) => isOnItem(seat, call)) &&
    ![...left].some((call) => isOnItem(seat, call));
  if (isListedByPath) seat.level = 0; // its parameter picks rows, not a record
  const itself = (call: Call): Call => call;
  const isOnly = seat.level === 0 && lists.length === 0;
  // Without an item in a path, a call is on one record if it is told which, or if there is only one.
  const onOne = (call: Call): boolean =>
    isOnItem(seat, call) ||
    (seat.level === 0 &&
      isOnAll(seat, call) &&
      (isOnly || (call.shape.verb !== undefined && recordParam(view, call, noun) !== undefined)));
  const create = take(createIn(seat, [...left], isOnly && detail !== undefined), itself);
  const update = take(updateIn(view, seat, [...left], onOne), itself);
  const remove = take(removeIn([...left], onOne), itself);
  const putCreate = create ?? take(createByPut(seat, [...left]), itself);
  return { lists, detail, create: putCreate, update, remove, rest: seat.calls.filter((call) => left.has(call)) };
}

/** "/user" can be seen and changed, so "/user/{id}", which can only be seen, does not make it a collection. */
function isOneThing(view: SchemaView, seat: Seat): boolean {
  const own = seat.calls.filter((call) => isOnAll(seat, call));
  const isChanged = own.some((call) => ["PUT", "PATCH"].includes(call.endpoint.method) && hasBody(call));
  const seen = own.find((call) => isRead(call) && call.shape.verb === undefined && call.answer.schema !== undefined);
  const others = seat.calls.filter((call) => !isOnAll(seat, call));
  if (seat.level === 0 || !isChanged || seen === undefined || !others.every(isRead)) return false;
  return rowsOf(view, seen.answer.schema, hintsFor(view, seat, seen)) === undefined;
}

export function nounOf(seat: Seat): string {
  return nounKey(seat.steps.at(-1)?.word ?? "");
}

const isRead = (call: Call): boolean => call.endpoint.method === "GET";
const hasBody = (call: Call): boolean => call.endpoint.requestBody !== undefined;

function detailIn(view: SchemaView, seat: Seat, noun: string): DetailCall | undefined {
  const isSingle = seat.level === 0;
  const isRightVerb = ({ shape }: Call): boolean => shape.verb === undefined || shape.verb === "get";
  const candidates = seat.calls.filter((call) => {
    const isRightPlace = isSingle ? isOnAll(seat, call) : isOnItem(seat, call);
    const isReading = isRead(call) || (call.shape.verb === "get" && call.endpoint.method === "POST");
    return isRightPlace && isReading && isRightVerb(call) && !call.answer.isEmpty && !call.answer.isFile;
  });
  candidates.sort((one, other) => Number(!isRead(one)) - Number(!isRead(other)));
  for (const call of candidates) {
    const rows = rowsOf(view, call.answer.schema, hintsFor(view, seat, call));
    if (rows !== undefined && isOneOf(view, seat, call, rows))
      return { call, record: { path: [...rows.path, "0"], schema: rows.item } };
    if (rows !== undefined) continue;
    const record = recordOf(view, call.answer.schema ?? {}, noun);
    if (record === undefined || (isSingle && call.answer.schema === undefined)) continue;
    const isOneOfMany = isSingle && seat.calls.some((other) => other.shape.verb === "list");
    if (isOneOfMany && recordParam(view, call, noun) === undefined) continue;
    return { call, record };
  }
  return undefined;
}

/** Some answer "/pets/{id}" with an array of that one pet, often in the envelope that "/pets" has. */
function isOneOf(view: SchemaView, seat: Seat, call: Call, rows: Rows): boolean {
  const list = seat.calls.find((other) => isOnAll(seat, other) && isRead(other));
  if (list === undefined || !isOnItem(seat, call) || rows.isMap) return false;
  const model = view.modelOf(rows.item);
  const others = rowsOf(view, list.answer.schema, hintsFor(view, seat, list));
  const envelope = view.modelOf(call.answer.schema);
  const isSame =
    (model !== undefined && others !== undefined && view.modelOf(others.item) === model) ||
    (envelope !== undefined && envelope === view.modelOf(list.answer.schema));
  const isSamePlace = others !== undefined && others.path.join("/") === rows.path.join("/");
  const param = call.shape.steps.at(-1)?.param ?? "";
  return rows.path.length === 0
    ? isSame || /(id|code|key|name|number|uuid|digest)$/i.test(param)
    : (isSame || isSamePlace) && /(ids?|uuid)$/i.test(param);
}

/** What is known of one record of a seat, if a call gives one. */
interface Known {
  model?: string;
  record?: Schema;
}

/** All lists on the collection, the plain one first. Without any, one that needs a parameter in its path. */
function listsIn(view: SchemaView, seat: Seat, { model, record }: Known, left: Call[]): ListCall[] {
  const found = left.flatMap((call): ListCall[] => {
    if (!isAsking(view, call) || call.answer.isFile) return [];
    const hints = { ...hintsFor(view, seat, call), model };
    const rows = rowsIn(view, seat, call, hints) ?? rowsSaidToBeOne(view, seat, call, record);
    return rows === undefined ? [] : [{ call, rows }];
  });
  found.sort((one, other) => rank(one) - rank(other));
  const onCollection = found.filter(({ call }) => isOnAll(seat, call));
  const byPath = found.filter(
    ({ call }) => !isOnAll(seat, call) && (call.shape.verb === "list" || model === undefined),
  );
  return onCollection.some(({ call }) => isRead(call)) ? onCollection : [...byPath.slice(0, 1), ...onCollection];
}

/** How surely an answer is expected to be a list, from the path alone. */
function hintsFor(view: SchemaView, seat: Seat, call: Call): RowHints {
  const isPaged = asksForPages(view, call.endpoint);
  const nouns = seat.steps.flatMap((step) => (step.word === undefined ? [] : nounKey(step.word)));
  return { noun: nounOf(seat), nouns, isPaged, expects: expectationOf(view, seat, call) };
}

function expectationOf(view: SchemaView, seat: Seat, call: Call): RowHints["expects"] {
  const lastWord = wordsOf(seat.steps.at(-1)?.word ?? "").at(-1) ?? "";
  if (call.shape.verb === "list") return "list";
  if (seat.calls.some((other) => other.shape.verb === "list") && recordParam(view, call, nounOf(seat)) !== undefined)
    return "record";
  if (isOnAll(seat, call)) return seat.level > 0 || singularOf(lastWord) !== lastWord ? "list" : "either";
  // "/images/{id}/vuln/{type}", where nobody can change a "vuln", may well list them.
  return seat.calls.every((other) => isRead(other) && !isOnAll(seat, other)) ? "either" : "record";
}

/** A POST asks if it says so, or if it can be asked for another page. */
function isAsking(view: SchemaView, call: Call): boolean {
  const { method } = call.endpoint;
  if (method === "POST" && !sendsObject(view, call)) return false;
  return (
    isRead(call) ||
    method === "QUERY" ||
    (method === "POST" && (call.shape.verb === "list" || asksForPages(view, call.endpoint)))
  );
}

/** Whether what it wants to be told can be told by filters. */
function sendsObject(view: SchemaView, { endpoint }: Call): boolean {
  const contents = Object.values(endpoint.requestBody?.content ?? {});
  return contents.every(({ schema }) => !["array", "string"].includes(view.resolve(schema).type ?? ""));
}

function rank({ call }: ListCall): number {
  const required = call.endpoint.parameters.filter(
    (parameter) => parameter.required && parameter.in === "query",
  ).length;
  return (
    (isRead(call) ? 0 : 100) +
    (call.shape.qualifier === undefined ? 0 : 10) +
    required * 3 +
    (call.shape.verb === undefined ? 0 : 1)
  );
}

function rowsIn(view: SchemaView, seat: Seat, call: Call, hints: RowHints): Rows | undefined {
  const rows = rowsOf(view, call.answer.schema, hints);
  if (rows !== undefined || seat.level === 0 || !isOnAll(seat, call) || !isRead(call) || call.shape.verb === "get")
    return rows;
  const because = "the answer lists the keys of items";
  const values = view.resolve(call.answer.schema);
  if (values.type === "array") return { path: [], item: values.items ?? {}, isMap: false, confidence: 0.8, because };
  const keys = rowsOf(view, values, { ...hints, isOfKeys: true, expects: "either" });
  if (keys !== undefined) return { ...keys, because };
  const isUnknown = call.answer.schema === undefined || isAnything(values);
  if (!isUnknown || call.answer.isEmpty) return undefined;
  return {
    path: [],
    item: {},
    isMap: false,
    confidence: 0.3,
    because: "the path has items, and nothing says what it answers",
  };
}

/** Generators of descriptions are known to say that "/pets" answers a pet where it answers pets. */
function rowsSaidToBeOne(view: SchemaView, seat: Seat, call: Call, record: Schema | undefined): Rows | undefined {
  const lastWord = wordsOf(seat.steps.at(-1)?.word ?? "").at(-1) ?? "";
  const isOfMany = seat.level > 0 && isOnAll(seat, call) && isRead(call) && singularOf(lastWord) !== lastWord;
  const isToldWhich = call.endpoint.parameters.some(({ required, in: place }) => required && place === "query");
  if (record === undefined || !isOfMany || isToldWhich || call.shape.verb !== undefined) return undefined;
  const said = recordOf(view, call.answer.schema, nounOf(seat));
  const names = Object.keys(view.resolve(said?.schema).properties ?? {});
  const known = view.resolve(record).properties ?? {};
  if (said === undefined || names.length === 0 || !names.every((name) => Object.hasOwn(known, name))) return undefined;
  return {
    path: said.path,
    item: said.schema,
    isMap: false,
    confidence: 0.5,
    because: "it is said to answer one record, at a path that is for many",
  };
}

function isAnything(schema: Schema): boolean {
  const isOpen =
    schema.type === undefined || (schema.type === "object" && typeof schema.additionalProperties !== "object");
  return isOpen && Object.keys(schema.properties ?? {}).length === 0 && schema.unionOf === undefined;
}
