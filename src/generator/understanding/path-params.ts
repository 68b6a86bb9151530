import type { Operation } from "../kit/descriptor.ts";
import type { Draft } from "./drafts.ts";
import { type Call, isOnAll } from "./seats.ts";

/** What the parameters of a resource's paths are called, by their place: those above it, and the one that picks a record. */
export interface PathParams {
  scopes: string[];
  key?: string;
}

export function pathParamsOf(draft: Draft): PathParams {
  const { level, steps } = draft.seat;
  const [list] = draft.lists;
  if (level === 0 && list !== undefined && list.call.trailing > 0) return { scopes: paramsIn(list.call) };
  const above = steps.filter((step) => step.param !== undefined).length;
  const onRecord = draft.actions.filter(({ on }) => on === "record").map(({ call }) => call);
  const calls = [draft.detail?.call, draft.update, draft.remove, list?.call, draft.create, ...onRecord];
  const longest = calls
    .flatMap((call) => (call === undefined ? [] : [paramsIn(call)]))
    .find((names) => names.length >= above + level);
  const names = longest ?? calls.flatMap((call) => (call === undefined ? [] : [paramsIn(call)]))[0] ?? [];
  if (level === 0) return { scopes: names.slice(0, above) };
  return { scopes: names.slice(0, above + level - 1), key: names[above + level - 1] };
}

function paramsIn(call: Call): string[] {
  return call.shape.steps.flatMap((step) => step.param ?? []);
}

/** The parameters at the end of a list's path, where others pick a record: "/articles/search/{query}" beside "/articles/{id}". */
export function chosenInPath(draft: Draft, call: Call): string[] {
  return draft.seat.level > 0 && !isOnAll(draft.seat, call) ? paramsIn(call).slice(-call.trailing) : [];
}

/** The same operation, with the parameters of its path called as those of the resource are, so that one value fits all. */
export function aligned<Op extends Operation>(operation: Op, call: Call, { scopes, key }: PathParams): Op {
  const wanted = key === undefined ? scopes : [...scopes, key];
  const present = paramsIn(call);
  const renames = new Map<string, string>();
  for (const [at, name] of present.entries()) {
    const to = wanted[at];
    const isTaken = operation.params.some((param) => param.name === to) || present.includes(to ?? "");
    if (to !== undefined && to !== name && !isTaken) renames.set(name, to);
  }
  if (renames.size === 0) return operation;
  const path = operation.path.replace(/\{([^{}]{1,200})\}/g, (whole, name: string) =>
    renames.has(name) ? `{${renames.get(name)}}` : whole,
  );
  const params = operation.params.map((param) => {
    const to = param.in === "path" ? renames.get(param.name) : undefined;
    return to === undefined ? param : { ...param, name: to, field: { ...param.field, name: to } };
  });
  return { ...operation, path, params };
}
