import type { Task } from "./task-document.ts";
import type { Entry } from "./task-document-entries.ts";
import { type Estimate, estimateOf, inlineEstimate } from "./task-document-estimate.ts";
import { type Field, fieldOf, fieldsOf, filesIn, requirementsIn } from "./task-document-fields.ts";
import { keyOf } from "./task-document-ids.ts";

/** An entry with its fields read: `title` is without them, `text` is all of its first line. */
export interface ReadEntry {
  entry: Entry;
  task: Task;
  text: string;
  fields: ReadField[];
}

export interface ReadField extends Field {
  line: number;
  /** The lines below it that belong to it. */
  more: string[];
}

export interface ReadTasks {
  tasks: Task[];
  records: ReadEntry[];
  duplicates: { id: string; lines: number[] }[];
  /** Ids of headings over tasks, with those tasks. */
  groups: Map<string, string[]>;
}

export function tasksOf(entries: Entry[]): ReadTasks {
  const groups = groupsOf(entries);
  const listed = entries.filter((entry) => !groups.has(entry));
  const restarts = numbersRestart(listed);
  const records = listed.map((entry, index) => recordOf(entry, idOf(entry, index + 1, restarts)));
  const { tasks, duplicates } = merged(records);
  const ids = new Map(records.map(({ entry, task }) => [entry, task.id]));
  const named = [...groups].map(
    ([entry, children]) => [keyOf(entry.id ?? ""), children.flatMap((child) => ids.get(child) ?? [])] as const,
  );
  return { tasks, records, duplicates, groups: new Map(named) };
}

/** "1. Set up" over "1.1 Create …": the parts are the tasks, and who needs 1 needs them all. */
function groupsOf(entries: Entry[]): Map<Entry, Entry[]> {
  const children = new Map<Entry, Entry[]>();
  const numbers = new Map(entries.flatMap((entry) => (entry.id ? [[bareNumber(entry.id), entry] as const] : [])));
  for (const entry of entries) {
    const dot = entry.id?.lastIndexOf(".") ?? -1;
    const parent = dot > 0 && entry.id ? numbers.get(bareNumber(entry.id.slice(0, dot))) : undefined;
    if (!parent || parent === entry || !/^\d|^task /i.test(parent.id ?? "")) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(entry);
    else children.set(parent, [entry]);
  }
  for (const entry of entries) if (entry.id && children.has(entry) && hasOwnFields(entry)) children.delete(entry);
  return children;
}

const bareNumber = (id: string) => keyOf(id).replace(/^t/, "");

const hasOwnFields = ({ body, title }: Entry) =>
  inlineEstimate(title) !== undefined ||
  body.some(({ text }) => fieldsOf(text).some(({ name }) => name === "estimate" || name === "depends"));

function numbersRestart(entries: Entry[]): boolean {
  const markers = entries.flatMap(({ id, marker }) => (id === undefined && marker !== undefined ? [marker] : []));
  return new Set(markers).size < markers.length;
}

function idOf({ id, marker }: Entry, place: number, restarts: boolean): string {
  return id?.replace(/^#/, "") ?? (marker && !restarts ? marker : `#${place}`);
}

function recordOf(entry: Entry, id: string): ReadEntry {
  const text = entry.title
    .replace(/\*\*/g, "")
    .replace(/(?<!\w)[*_]([A-Z][A-Za-z ]{1,24}(?::[*_]|[*_]:))/g, (_, label: string) => label.replace(/[*_]/, ""));
  const [title, inline] = splitTitle(text, entry.line);
  const fields = [...inline, ...cellFields(entry), ...bodyFields(entry)];
  const below = entry.body.map((line) => line.text).join("\n");
  const named = (name: Field["name"]) => fields.filter((field) => field.name === name);
  const all = `${text}\n${below}\n${[...(entry.cells?.values() ?? [])].join(" ")}`;
  const task: Task = {
    id,
    given: entry.id !== undefined || !id.startsWith("#"),
    title: cleaned(title),
    line: entry.line,
    phase: entry.cells?.get("phase"),
    story: storyOf(text, named("story")),
    parallel:
      /\[P\]|[([]parallel[)\]]/i.test(text) ||
      named("parallel").some(({ value }) => /^(?:y|true|✓|✅|x|\[?p\]?)/i.test(value)),
    done: entry.done || named("status").some(({ value }) => /\[x\]|^\W*(?:done|complete|finished|closed)/i.test(value)),
    dependsOn: [],
    estimate: estimate(fields, text, entry),
    acceptance: acceptance(fields, text, entry),
    serves: servesOf(all, named("serves")),
    files: [...new Set([...filesIn(text), ...named("files").flatMap((field) => filesIn(wholeValue(field), true))])],
    words: plainWords(all),
  };
  return { entry, task, text, fields };
}

const wholeValue = ({ value, more }: ReadField) => [value, ...more].join("\n");
const plainWords = (text: string) =>
  text
    .replace(/[*`[\]#|]+|(?<!\w)_|_(?!\w)/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 4000);

/** The fields that stand on the line of the title, behind a dash, a bar or a full stop. */
function splitTitle(text: string, line: number): [string, ReadField[]] {
  const parts = text.split(
    /(\s+(?:\||·|•|—|–|--|-)\s+|[.;]\s+(?=[A-Z][A-Za-z ]{2,24}:\s|[Dd]one when\b)|,\s+(?=(?:estimate|acceptance|depends on|size|effort)\s?:))/,
  );
  let title = parts[0] ?? "";
  const fields: ReadField[] = [];
  for (let at = 1; at < parts.length; at += 2) {
    const field = BEGINS_FIELD.test(parts[at + 1] ?? "") ? fieldOf(parts[at + 1] ?? "") : undefined;
    if (field && field.name !== "other") fields.push({ ...field, line, more: [] });
    else if (fields.length === 0) title += `${parts[at]}${parts[at + 1] ?? ""}`;
    else fields.at(-1)?.more.push(parts[at + 1] ?? "");
  }
  return [title, fields];
}

const BEGINS_FIELD = /^[^:]{1,34}:|^(?:depends on|blocked by|blocks|done when|required by)\b/i;

function cellFields({ cells, line }: Entry): ReadField[] {
  const names = [
    "depends",
    "blocks",
    "estimate",
    "acceptance",
    "serves",
    "status",
    "parallel",
    "story",
    "files",
  ] as const;
  return names.flatMap((name) => {
    const value = cells?.get(name);
    return value === undefined ? [] : [{ name, label: name, value, line, more: [] }];
  });
}

function bodyFields({ body }: Entry): ReadField[] {
  const fields: ReadField[] = [];
  for (const { text, number } of body) {
    const found = fieldsOf(text);
    for (const field of found) fields.push({ ...field, line: number, more: [] });
    if (found.length === 0) fields.at(-1)?.more.push(text.trim());
  }
  return fields;
}

function storyOf(text: string, fields: ReadField[]): string | undefined {
  const number =
    /\[(?:US|Story|User Story)[-\s#]?(\d{1,3})\]/i.exec(text)?.[1] ?? /(\d{1,3})/.exec(fields[0]?.value ?? "")?.[1];
  return number ? `US${Number(number)}` : undefined;
}

function estimate(fields: ReadField[], text: string, { cells }: Entry): Estimate | undefined {
  for (const field of fields) {
    if (field.name === "points") return estimateOf(field.value, "points");
    if (field.name !== "estimate") continue;
    const unit = cells?.get("unit") || unitIn(field.label);
    const read = estimateOf(field.value, unit);
    if (read) return read;
  }
  return inlineEstimate(text);
}

const unitIn = (label: string) =>
  /hour|\(h/i.test(label) ? "hours" : /day|\(d/i.test(label) ? "days" : /point/i.test(label) ? "points" : undefined;

const INLINE_ACCEPTANCE =
  /(?:^|[.;,(—–]\s*|\s)(?:acceptance(?: criteria)?\s*:|done when\b|AC\s*:|verify(?: (?:that|by))?\s*:|DoD\s*:)\s*:?(.{3,400})/i;
const OUTCOME =
  /\b(?:given|then|must|should|shall|returns?|passe?s|fails?|rejects?|shows?|displays?|verif\w+|ensures?|confirms?|exits?|responds?|succeeds?|at least|at most|within|no longer|never|always|less than)\b/i;

function acceptance(fields: ReadField[], text: string, { body }: Entry): string | undefined {
  for (const field of fields) {
    if (field.name !== "acceptance") continue;
    const value = [field.value, ...field.more].map(unmarked).filter((line) => line !== "");
    if (value.length > 0 && !/^(?:none|n\/a|tbd|todo|-|—|\?+)\.?$/i.test(value.join(" ")))
      return value.join("; ").slice(0, 500);
  }
  const inline = INLINE_ACCEPTANCE.exec(text)?.[1];
  if (inline) return inline.replace(/\)\s*$/, "").trim();
  const outcomes = body.filter(
    ({ text: line }) =>
      /^\s*[-*+]\s/.test(line) && !fieldOf(line) && (OUTCOME.test(line) || /^\s*[-*+]\s+\[[ xX]\]/.test(line)),
  );
  return outcomes.length > 0
    ? outcomes
        .map((line) => unmarked(line.text))
        .join("; ")
        .slice(0, 500)
    : undefined;
}

const unmarked = (line: string) => line.replace(/^\s*(?:[-*+•]|\d+[.)])?\s*(?:\[[ xX]\])?\s*/, "").trim();

function servesOf(text: string, fields: ReadField[]): string[] {
  const dotted = fields.flatMap(
    (field) =>
      wholeValue(field)
        .replaceAll("_", " ")
        .match(/(?<![\w.-])\d{1,3}(?:\.\d{1,3}){1,2}(?![\w.])/g) ?? [],
  );
  return [...new Set([...requirementsIn(text.replace(/\bAC-T\d+/g, "")), ...dotted])];
}

/** The title as a person would say it: without marks, notes on dependencies, and estimates in brackets. */
function cleaned(title: string): string {
  const words = title
    .replace(/`/g, "")
    .replace(/\[(?:P|x|X| |(?:US|Story|User Story)[-\s#]?\d{1,3})\]/gi, "")
    .replace(
      /[([{](?:depends? on|depends|deps|blocked by|after|requires|needs|blocks|est(?:imate)?)\b[^(){}]{0,200}[)\]}]/gi,
      "",
    )
    .replace(
      /\s*[,;–—-]\s*(?:depends? on|blocked by|after)(?:\s+(?:and|[,&#]|(?:task |T-?)?\d[\d.]{0,8}[,;]?)){1,20}\s*$/i,
      "",
    )
    .replace(/[;,]\s*(?:depends? on|blocked by|after)\s[^();]{0,120}(?=\))/gi, "")
    .replace(/[([](?:~?\d{1,4}(?:[.,]\d)?\s?(?:h|hrs?|hours?|d|days?|w|pts?|points?|sp)|X{0,2}[SL]|M)[)\]]/g, "")
    .replace(/^[\s:.–—-]+/, "");
  return words
    .replace(/\s+/g, " ")
    .replace(/\s+([.,;])(?=\s|$)/g, "$1")
    .trim();
}

/** One task may be listed in a table and described under a heading; twice in the same way is a duplicate. */
function merged(records: ReadEntry[]): { tasks: Task[]; duplicates: ReadTasks["duplicates"] } {
  const first = new Map<string, ReadEntry>();
  const lines = new Map<string, { id: string; lines: number[] }>();
  for (const record of records) {
    const key = keyOf(record.task.id);
    const there = first.get(key);
    if (!there) {
      first.set(key, record);
      continue;
    }
    const again = there.entry.kind === record.entry.kind && record.task.title !== "" && there.task.title !== "";
    if (again) {
      const twice = lines.get(key) ?? { id: there.task.id, lines: [there.task.line] };
      twice.lines.push(record.task.line);
      lines.set(key, twice);
    }
    fill(there.task, record.task);
    record.task = there.task;
  }
  return { tasks: [...first.values()].map(({ task }) => task), duplicates: [...lines.values()] };
}

function fill(task: Task, other: Task): void {
  task.title ||= other.title;
  task.phase ??= other.phase;
  task.story ??= other.story;
  task.estimate ??= other.estimate;
  task.acceptance ??= other.acceptance;
  task.parallel ||= other.parallel;
  task.done ||= other.done;
  task.serves = [...new Set([...task.serves, ...other.serves])];
  task.files = [...new Set([...task.files, ...other.files])];
  task.words = `${task.words} ${other.words}`.slice(0, 4000);
}
