import type { DocumentName } from "../documents.ts";
import type { PlanDocument } from "../plan-document.ts";
import type { SpecDocument } from "../spec-document.ts";
import type { TaskDocument } from "../task-document.ts";
import type { Fault } from "./analysis.ts";
import { referenceKey } from "./coverage.ts";
import { placeIn } from "./place.ts";

interface Said {
  text: string;
  line: number;
}

interface Spoken {
  lines: readonly string[];
  said: Said[];
}

/** Technologies of which a feature has one: who names another contradicts. */
const CHOICES: Record<string, Record<string, RegExp>> = {
  database: {
    PostgreSQL: /\bpostgres(?:ql)?\b/i,
    MySQL: /\bmysql\b|\bmariadb\b/i,
    SQLite: /\bsqlite\b/i,
    MongoDB: /\bmongo(?:db)?\b/i,
    DynamoDB: /\bdynamodb\b/i,
    "SQL Server": /\bsql server\b|\bmssql\b/i,
    Oracle: /\boracle (?:database|db)\b/i,
    Firestore: /\bfirestore\b|\bfirebase database\b/i,
  },
  "frontend framework": {
    React: /\breact(?:\.?js)?\b(?! native)|\bnext\.?js\b/i,
    Vue: /\bvue(?:\.?js)?\b|\bnuxt\b/i,
    Angular: /\bangular\b/i,
    Svelte: /\bsvelte(?:kit)?\b/i,
  },
  "mobile framework": { "React Native": /\breact native\b/i, Flutter: /\bflutter\b/i, Xamarin: /\bxamarin\b/i },
  "API style": { GraphQL: /\bgraphql\b/i, REST: /\bREST(?:ful)?\b/, gRPC: /\bgrpc\b/i },
  "cloud provider": {
    AWS: /\baws\b|\bamazon web services\b/i,
    Azure: /\bazure\b/i,
    "Google Cloud": /\bgcp\b|\bgoogle cloud\b/i,
  },
  "message broker": { Kafka: /\bkafka\b/i, RabbitMQ: /\brabbitmq\b/i, NATS: /\bnats\b/i, SQS: /\bsqs\b/i },
  "transport to the browser": {
    WebSocket: /\bweb-?sockets?\b/i,
    "server-sent events": /\bserver-sent events\b|\bSSE\b/,
    polling: /\blong[- ]polling\b/i,
  },
  language: {
    Python: /\bpython\b/i,
    TypeScript: /\btypescript\b/i,
    Java: /\bjava\b(?!script)/i,
    Kotlin: /\bkotlin\b/i,
    Go: /\bgolang\b|\bGo (?:1\.\d+|service|module)/,
    Rust: /\brust\b/,
    "C#": /\bc#|\.net\b/i,
    Ruby: /\bruby\b/i,
    PHP: /\bphp\b/i,
    Swift: /\bSwift\b(?! ?(?:response|action|feedback))/,
  },
};

const ANY_CHOICE = new RegExp(
  Object.values(CHOICES)
    .flatMap((choices) => Object.values(choices).map(({ source }) => source))
    .join("|"),
  "i",
);
/** What names a technology at all: most lines name none. */
const namingIn = (said: Said[]): Said[] => said.filter(({ text }) => text.length > 1 && ANY_CHOICE.test(text));

/** A name that is only weighed, refused or left behind is no choice. */
const REFUSED =
  /\b(?:not|no|never|without|instead of|rather than|rejected|alternatives?|considered|versus|vs\.?|unlike|avoid\w*|replac\w*|migrat\w* (?:from|off|away)|legacy|deprecated|former|previously|e\.g\.|such as|for example|like|or|out of scope|assumed)\b/i;

/** Where plan and tasks name another technology than the spec, or tasks another than the plan. */
export function contradictions(
  spec: SpecDocument | undefined,
  plan: PlanDocument | undefined,
  tasks: TaskDocument | undefined,
): Fault[] {
  const said = new Map<DocumentName, Spoken>();
  if (spec) said.set("spec", { lines: spec.lines, said: namingIn(spokenIn(spec)) });
  if (plan) said.set("plan", { lines: plan.lines, said: namingIn(plan.said) });
  if (tasks) {
    const words = tasks.tasks.map((task) => ({ text: task.words.replace(/\S+\/\S+/g, " "), line: task.line }));
    said.set("task", { lines: tasks.lines, said: namingIn(words) });
  }
  const pairs = [
    ["spec", "plan"],
    ["spec", "task"],
    ["plan", "task"],
  ] as const;
  const found = new Map<string, Fault>();
  for (const [category, choices] of Object.entries(CHOICES)) {
    for (const [first, second] of pairs) {
      const fault = contradiction(category, choices, first, second, said);
      if (fault && !found.has(`${category} ${fault.place.document}`))
        found.set(`${category} ${fault.place.document}`, fault);
    }
  }
  return [...found.values()];
}

function contradiction(
  category: string,
  choices: Record<string, RegExp>,
  first: DocumentName,
  second: DocumentName,
  said: Map<DocumentName, Spoken>,
): Fault | undefined {
  const [one, other] = [said.get(first), said.get(second)];
  if (!one || !other) return undefined;
  const [chosen, named] = [namedIn(choices, one.said), namedIn(choices, other.said)];
  if (chosen.size === 0 || named.size === 0 || [...named.keys()].some((name) => chosen.has(name))) return undefined;
  const [[wanted, at] = ["", 0]] = chosen;
  const [[instead, line] = ["", 0]] = named;
  const message = `${second}.md names ${instead} as ${category}, ${first}.md (line ${at}) names ${wanted}.`;
  return {
    kind: "contradiction",
    severity: "error",
    message,
    place: placeIn(second, other.lines, line),
    ids: [wanted, instead],
  };
}

/** The text with another word for a technology wherever it names it. */
export function withoutChoice(text: string, name: string, instead: string): string {
  const patterns = Object.values(CHOICES).flatMap((choices) => choices[name] ?? []);
  return patterns.reduce((words, pattern) => words.replace(new RegExp(pattern, `${pattern.flags}g`), instead), text);
}

/** Whether it is named somewhere without being refused there. */
function isChosen(text: string, pattern: RegExp): boolean {
  if (!pattern.test(text)) return false;
  for (const { index } of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    if (!REFUSED.test(text.slice(Math.max(0, index - 40), index))) return true;
  }
  return false;
}

function namedIn(choices: Record<string, RegExp>, said: Said[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { text, line } of said) {
    for (const [name, pattern] of Object.entries(choices)) {
      if (!found.has(name) && isChosen(text, pattern)) found.set(name, line);
    }
  }
  return found;
}

/** The technologies that a spec asks for, by what they are for, with their lines. */
export function choicesOf(spec: SpecDocument): Map<string, { name: string; line: number }[]> {
  const said = namingIn(spokenIn(spec));
  return new Map(
    Object.entries(CHOICES).map(([category, choices]) => [
      category,
      [...namedIn(choices, said)].map(([name, line]) => ({ name, line })),
    ]),
  );
}

const spokenIn = (spec: SpecDocument): Said[] =>
  spec.statements.filter(({ role }) => role !== "aside" && role !== "outOfScope");

const WRITTEN = /(?<![\w-])[A-Z]{1,8}(?:-[A-Z0-9]{1,12}){0,2}-?\d{1,4}[a-z]?(?![\w-])/g;
const ALWAYS = new Set(["FR", "NFR", "SC", "US", "REQ"]);

/** Ids of requirements that plan or tasks name and the spec does not have. */
export function unknownReferences(
  spec: SpecDocument,
  plan: PlanDocument | undefined,
  tasks: TaskDocument | undefined,
): Fault[] {
  const things = [...spec.requirements, ...spec.criteria, ...spec.stories];
  const known = new Set(things.map(({ id }) => referenceKey(id)));
  if (known.size === 0) return [];
  const written = new Set((spec.lines.join("\n").match(WRITTEN) ?? []).map(referenceKey));
  const prefixes = new Set([...ALWAYS, ...things.map(({ id }) => prefixOf(id))]);
  const unknown = (id: string) =>
    !known.has(referenceKey(id)) && prefixes.has(prefixOf(id)) && !written.has(referenceKey(id));
  const named = [
    ...(plan?.references.map(({ id, line }) => ({
      id,
      line,
      document: "plan" as const,
      lines: plan.lines,
      task: undefined,
    })) ?? []),
    ...(tasks?.tasks.flatMap(({ id: task, serves, line }) =>
      serves.map((id) => ({ id, line, document: "task" as const, lines: tasks.lines, task })),
    ) ?? []),
  ];
  const found = new Map<string, Fault>();
  for (const { id, line, document, lines, task } of named) {
    if (!unknown(id) || found.has(`${document} ${referenceKey(id)} ${task}`)) continue;
    const message = `${task ?? "The plan"} names ${id}, which the spec does not have.`;
    found.set(`${document} ${referenceKey(id)} ${task}`, {
      kind: "unknown-reference",
      severity: "warning",
      message,
      place: placeIn(document, lines, line),
      ids: task ? [task, id] : [id],
    });
  }
  return [...found.values()];
}

const prefixOf = (id: string) => /^[A-Z]+/i.exec(id)?.[0].toUpperCase() ?? "";
