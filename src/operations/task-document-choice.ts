import { ASIDE, type Entry, type Heading, type Outline } from "./task-document-entries.ts";
import { keyOf } from "./task-document-ids.ts";

/**
 * Which of the entries are tasks. A document has a style: where tasks have ids of letters, numbers are no ids; where there
 * are boxes, headings or rows, plain items are no tasks; where nothing has an id, every box outside of a checklist is one.
 */
export function chosenEntries({ entries }: Outline): Entry[] {
  const asides = new Map<Heading | undefined, boolean>();
  const listing = entries.filter(({ heading }) => {
    let aside = asides.get(heading);
    aside ??= isAside(heading);
    asides.set(heading, aside);
    return !aside;
  });
  const chosen = choice(listing);
  return [...chosen, ...furtherRows(entries, chosen)];
}

/** A table of dependencies or estimates beside the list of the tasks tells more of them. */
function furtherRows(entries: Entry[], chosen: Entry[]): Entry[] {
  const ids = new Set(chosen.flatMap(({ id }) => (id === undefined ? [] : [keyOf(id)])));
  const there = new Set(chosen);
  return entries.flatMap((entry) => {
    const { kind, id = "", cells } = entry;
    const tells = kind === "row" && !there.has(entry) && ids.has(keyOf(id));
    return tells && (cells?.has("depends") || cells?.has("estimate")) ? [{ ...entry, title: "", further: true }] : [];
  });
}

function choice(listing: Entry[]): Entry[] {
  const lettered = listing.filter(({ id }) => id !== undefined && /^[A-Za-z]/.test(id) && !/^task \d/i.test(id));
  const named = withPrefixInUse(lettered);
  const strong = named.filter(({ kind }) => kind !== "item");
  if (strong.length > 0) return withUnnamed(withParents(strong), listing);
  if (named.length > 0) return named;
  return numbered(listing);
}

function isAside(heading: Heading | undefined): boolean {
  for (let above = heading; above && above.level > 1; above = above.parent) {
    if (ASIDE.test(above.title) && !/\bphase\b|^tasks?$|^task (?:list|breakdown)/i.test(above.title)) return true;
  }
  return false;
}

/** A prefix that stands only once beside many of another is a name ("S3 – create the bucket"), not an id. */
function withPrefixInUse(entries: Entry[]): Entry[] {
  const counts = new Map<string, number>();
  const prefix = ({ id = "" }: Entry) => (/^[A-Za-z]+/.exec(id)?.[0] ?? "").toLowerCase();
  for (const entry of entries) counts.set(prefix(entry), (counts.get(prefix(entry)) ?? 0) + 1);
  const usual = Math.max(0, ...counts.values());
  return entries.filter((entry) => (counts.get(prefix(entry)) ?? 0) > 1 || usual <= 1 || /^t/.test(prefix(entry)));
}

/** A heading over tasks of its own is their group, unless it is a task in its own right: has fields. */
function withParents(entries: Entry[]): Entry[] {
  const over = new Set(entries.flatMap(({ parent, kind }) => (kind === "box" && parent ? [parent] : [])));
  const byHeading = new Set(entries.flatMap(({ kind, heading }) => (kind === "box" && heading ? [heading.line] : [])));
  return entries.filter(
    (entry) => entry.kind !== "heading" || !byHeading.has(entry.line) || !over.has(entry) || hasFields(entry),
  );
}

const hasFields = ({ body }: Entry) =>
  body.some(({ text }) => /\b(?:depends|dependencies|estimate|effort)\b/i.test(text));

/** Boxes without an id beside boxes with one are tasks whose id was forgotten. */
function withUnnamed(named: Entry[], listing: Entry[]): Entry[] {
  const beside = new Set(named.flatMap(({ kind, heading }) => (kind === "box" ? [heading?.line ?? 0] : [])));
  const chosen = new Set(named);
  return listing.filter(
    (entry) =>
      chosen.has(entry) ||
      (entry.kind === "box" && !hasId(entry) && !entry.parent && beside.has(entry.heading?.line ?? 0)),
  );
}

const hasId = ({ id }: Entry) => id !== undefined;

/** No id has letters: headings such as "Task 3", dotted numbers, boxes, and at last numbered and plain items. */
function numbered(listing: Entry[]): Entry[] {
  const headings = listing.filter(({ kind, id }) => kind === "heading" && id !== undefined);
  const tasks = new Set(headings.filter((entry) => /^task/i.test(entry.id ?? "") || hasFields(entry)));
  const boxes = listing.filter(({ kind }) => kind === "box");
  const rows = listing.filter(({ kind }) => kind === "row");
  const withIds = boxes.filter(hasId);
  if (tasks.size > 0) return listing.filter((entry) => tasks.has(entry) || (entry.kind === "box" && isDotted(entry)));
  if (rows.length > 0 && boxes.length === 0) return rows;
  if (withIds.length > 0 || boxes.length > 0)
    return boxes.filter((entry) => hasId(entry) || !entry.parent || !hasId(entry.parent));
  const items = listing.filter(({ kind, parent }) => kind === "item" && !parent);
  const inPhases = items.filter(({ heading }) => isTaskList(heading));
  const numbers = inPhases.filter(({ marker, id }) => marker !== undefined || id !== undefined);
  return numbers.length > 0 ? numbers : inPhases;
}

const isDotted = ({ id }: Entry) => id?.includes(".") === true;

function isTaskList(heading: Heading | undefined): boolean {
  for (let above = heading; above; above = above.parent) {
    if (
      /^(?:phase|stage|milestone|sprint|iteration|step|group|wave|part|week)\b|\btasks?\b|\bto-?do\b|\bwork (?:items|breakdown)\b|\bsetup\b|\bimplementation\b/i.test(
        above.title,
      )
    )
      return true;
  }
  return false;
}

/** What is said outside of the tasks: lines of no entry, and entries that are no tasks. */
export function linesOutside({ rest, entries, lines }: Outline, chosen: Entry[]): Outline["rest"] {
  const tasks = new Set(chosen.map(({ line }) => line));
  const others = entries.flatMap((entry) => {
    const own = lines[entry.line - 1];
    if (tasks.has(entry.line) || !own || entry.kind === "heading") return [];
    return [own, ...entry.body].map((line) => ({ line, heading: entry.heading }));
  });
  return [...rest, ...others].sort((a, b) => a.line.number - b.line.number);
}
