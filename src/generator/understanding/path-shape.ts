import { remembering, wordsOf } from "./names.ts";
import { singularOf } from "./plurals.ts";

// A path in the words that matter: which things it names, which parameters pick one of them, and what it says to do.

export type Step = { word: string; param?: undefined } | { param: string; word?: undefined };
export type Verb = "list" | "get" | "create" | "update" | "remove";

export interface PathShape {
  /** Without verbs: "/pet/findByStatus" is "pet". */
  steps: Step[];
  verb?: Verb;
  /** What the verb is said to be for: "by status", "with list". */
  qualifier?: string;
}

const verbs = new Map<string, Verb>(
  Object.entries({
    list: ["list", "all", "search", "query", "find", "index", "browse", "filter", "lookup"],
    get: ["get", "show", "view", "read", "fetch", "detail", "details", "info", "inspect", "retrieve"],
    create: ["create", "add", "new", "insert"],
    update: ["update", "edit", "modify", "save", "replace"],
    remove: ["delete", "remove", "destroy"],
  } satisfies Record<Verb, string[]>).flatMap(([verb, words]) =>
    words.map((word): [string, Verb] => [word, verb as Verb]),
  ),
);
const leading = new Set(
  "get list find search query fetch retrieve create add insert update edit delete remove".split(" "),
);
const qualifying = new Set("by with for from in of using where".split(" "));
const methods: Record<Verb, string[]> = {
  list: ["GET", "POST", "QUERY"],
  get: ["GET", "POST", "QUERY"],
  create: ["POST", "PUT"],
  update: ["POST", "PUT", "PATCH"],
  remove: ["POST", "DELETE"],
};
const extension = /\.(json|xml|yaml|yml|php|aspx|ashx|do|csv|html)$/i;

/** What every path has, and no thing is named by: "api", "v1", "rest". */
export function isPrefix(word: string): boolean {
  return /^(api|apis|rest|restapi|webservices?|odata|rpc|v\d[\w.]*|\d+(\.\d+)*|\d{4}-\d\d(-\d\d)?)$/i.test(word);
}

export function shapeOf(path: string, method: string): PathShape {
  const steps = stepsOf(path);
  const at = lastWordAt(steps);
  const word = steps[at]?.word;
  if (word === undefined) return { steps };
  return plainVerb(steps, at, word, method) ?? compoundVerb(steps, at, word, method) ?? { steps };
}

function stepsOf(path: string): Step[] {
  const parts = (path.split(/[?#]/)[0] ?? "").split("/").filter((part) => part !== "");
  const steps = parts
    .slice(0, 40)
    .flatMap((part, at) => stepsOfPart(at === parts.length - 1 ? part.replace(extension, "") : part));
  return steps.filter((step, at) => !isReadingOnTheWay(steps, step, at));
}

/** "/articles/get/{id}/history" is "/articles/{id}/history". */
function isReadingOnTheWay(steps: Step[], { word }: Step, at: number): boolean {
  if (word === undefined || !/^(get|show|view|read|fetch|retrieve)$/i.test(word)) return false;
  const isBetween =
    steps[at - 1]?.word !== undefined && !isPrefix(steps[at - 1]?.word ?? "") && steps[at + 1]?.param !== undefined;
  return isBetween && steps.slice(at + 2).some((step) => step.word !== undefined);
}

function stepsOfPart(part: string): Step[] {
  const params = [...part.matchAll(/\{([^{}]{1,200})\}/g)].map((found) => found[1] ?? "");
  if (params.length === 0) return isPrefix(part) ? [{ word: part }] : part.split(/[.:]/).flatMap(wordStep);
  const before = part.slice(0, part.indexOf("{"));
  const after = part.slice(part.lastIndexOf("}") + 1);
  const verb = after.startsWith(":") ? wordStep(after.slice(1)) : [];
  return [...wordStep(before), ...params.map((param): Step => ({ param: param.replace(/[*+]$/, "") })), ...verb];
}

function wordStep(text: string): Step[] {
  const word = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return word === "" ? [] : [{ word }];
}

export function lastWordAt(steps: Step[]): number {
  return steps.findLastIndex((step) => step.word !== undefined);
}

/** "/users/list", "/users/get/{id}", "/users/{id}/update"; Docker's "/containers/json" and "/containers/{id}/json". */
function plainVerb(steps: Step[], at: number, word: string, method: string): PathShape | undefined {
  const small = word.toLowerCase();
  const before = steps[at - 1];
  const verb = small === "json" ? (before?.param === undefined ? "list" : "get") : verbs.get(small);
  const isNamed = steps.slice(0, at).some((step) => step.word !== undefined && !isPrefix(step.word));
  if (verb === undefined || !isNamed || !methods[verb].includes(method)) return undefined;
  if (before?.param !== undefined && (verb === "list" || verb === "create")) return undefined;
  return { steps: steps.toSpliced(at, 1), verb };
}

/** "/getUsers", "/pet/findByStatus", "/user/createWithList". */
function compoundVerb(steps: Step[], at: number, word: string, method: string): PathShape | undefined {
  const [first = "", ...rest] = wordsOf(word);
  const verb = leading.has(first) ? verbs.get(first) : undefined;
  if (verb === undefined || rest.length === 0 || !methods[verb].includes(method)) return undefined;
  if (!qualifying.has(rest[0] ?? "")) return { steps: steps.with(at, { word: rest.join("-") }), verb };
  const isNamed = steps.slice(0, at).some((step) => step.word !== undefined && !isPrefix(step.word));
  return isNamed ? { steps: steps.toSpliced(at, 1), verb, qualifier: rest.join(" ") } : undefined;
}

/** The same for all paths to one kind of thing, whatever their parameters are called: "/users/{id}" is "users/{}". */
export function keyOf(steps: Step[]): string {
  return steps.map((step) => (step.word === undefined ? "{}" : step.word.toLowerCase())).join("/");
}

/** The same also for "/user/{id}" and "/users". */
export function looseKeyOf(steps: Step[]): string {
  return steps.map((step) => (step.word === undefined ? "{}" : nounKey(step.word))).join("/");
}

/** What a word of a path names, in small letters and one of it: "pullRequests" is "pull-request". */
export const nounKey = remembering((word: string): string => {
  return singularOf(wordsOf(word).join("-")) || word.toLowerCase();
});
