import { idsOf, isTaskPrefix, type Reference, referencesIn } from "./task-document-ids.ts";

/** What a text says of tasks: the ones on the right are needed by (or, `blocks`, need) those on the left. */
export interface Relation {
  kind: "needs" | "blocks";
  /** Empty where the text leaves it to its place: in a task, the task itself. */
  left: string[];
  right: string[];
  /** Phases and stories that are needed as a whole. */
  whole: Whole[];
}

export interface Whole {
  kind: "phase" | "story";
  number: string;
}

/** The order matters: "not depend on" must be seen before "depend on". */
const WORDS =
  /\b(not? (?:direct )?depend(?:s|ent|encies|ency)?(?: up)?(?: ?on)?|no dependenc(?:y|ies)(?: on)?|independent(?:ly)? (?:of|from)|(?:in )?parallel (?:with|to)|alongside|together with|same time as|depend(?:s|ent|ing)? (?:up)?on|dependenc(?:y|ies)(?: on)?|depends?|deps|requires?|needs?|(?:is |are )?blocked (?:by|on)|blocked until|after|following|follows|prerequisites?|prereqs?|waits? (?:for|on)|relies on|builds? (?:up)?on|once|unblocks?|blocks?|blocking|(?:must |should )?(?:be )?(?:done |complete(?:d)? |finish(?:ed)? |run |runs |come |comes )?before|precedes?|required (?:by|for)|needed (?:by|for)|prerequisite (?:for|of)|enables?)\b|(<?[-=–—]{1,3}>|→|⟶|➜|⇒|➔|▶)|(←|⟵|<[-=]{1,2}(?!>))/gi;

/** What may stand between two ids of one list, and between a relation's word and its list. */
const GLUE =
  /^(?:[\s,;&+/:()[\]*_`"'<>|-]|\b(?:and|or|plus|tasks?|the|all|of|on|completion|completed?|done|both|is|are|has|have|been|finished|only|id|ids|by|for)\b)*$/i;

interface Cue {
  at: number;
  end: number;
  kind: "needs" | "blocks" | "before" | "none";
}

/** Reads the relations of one sentence or field. With `all`, every id counts, however many words stand between. */
export function relationsIn(text: string, own: ReadonlySet<string>, all = false): Relation[] {
  const references = referencesIn(withoutNotes(text)).filter((one) => isTaskPrefix(one.prefix, own) || wholeOf(one));
  if (references.length === 0) return [];
  const cues = cuesIn(text);
  if (cues.length === 0) return [];
  return cues.flatMap((cue, index) => relationAt(cue, cues[index - 1], cues[index + 1], references, text, all));
}

/** A list of ids in a field: "T001, T003 (the model) and T005–T007". */
export function listIn(text: string, own: ReadonlySet<string>, bare: boolean): { ids: string[]; whole: Whole[] } {
  const known = bare ? new Set([...own, ""]) : own;
  const references = referencesIn(withoutNotes(text));
  const tasks = references.filter((one) => !wholeOf(one) && isTaskPrefix(one.prefix, known));
  return { ids: tasks.flatMap((one) => idsOf(one)), whole: references.flatMap((one) => wholeOf(one) ?? []) };
}

/** Notes in round brackets say why, unless there are ids in them. */
function withoutNotes(text: string): string {
  return text.replace(/\(([^()]{0,200})\)/g, (note: string, inner: string) =>
    /\b[A-Za-z]{0,6}-?\d/.test(inner) ? note : " ".repeat(note.length),
  );
}

function cuesIn(text: string): Cue[] {
  return [...text.matchAll(WORDS)].map((match) => {
    const [whole, word = "", forth, back] = match;
    const at = match.index;
    const kind = back ? "needs" : forth ? "before" : kindOf(word.toLowerCase());
    return { at, end: at + whole.length, kind };
  });
}

function kindOf(word: string): Cue["kind"] {
  if (/^no|independent|parallel|alongside|together|same time/.test(word)) return "none";
  if (/before$|precede/.test(word)) return "before";
  if (/^(?:un)?blocks?$|^blocking|(?:required|needed|prerequisite) (?:by|for|of)|^enable/.test(word)) return "blocks";
  return "needs";
}

function relationAt(
  cue: Cue,
  previous: Cue | undefined,
  next: Cue | undefined,
  references: Reference[],
  text: string,
  all: boolean,
): Relation[] {
  if (cue.kind === "none") return [];
  const within = references.filter((one) => one.at >= cue.end && one.at < (next?.at ?? text.length));
  const right = all ? within : adjoining(within, cue.end, text);
  if (right.length === 0) return [];
  const from = previous && previous.kind !== "none" ? previous.end : 0;
  const left = references.filter((one) => one.at >= from && one.end <= cue.at && !wholeOf(one));
  const kind = cue.kind === "needs" ? "needs" : "blocks";
  const whole = right.flatMap((one) => wholeOf(one) ?? []);
  const ids = (list: Reference[]) => list.filter((one) => !wholeOf(one)).flatMap((one) => idsOf(one));
  return [{ kind, left: ids(left), right: ids(right), whole: kind === "needs" ? whole : [] }];
}

function adjoining(references: Reference[], from: number, text: string): Reference[] {
  const list: Reference[] = [];
  let at = from;
  for (const reference of references) {
    if (!GLUE.test(withoutNotes(text.slice(at, reference.at)))) break;
    list.push(reference);
    at = reference.end;
  }
  return list;
}

const PHASES = new Set(["phase", "stage", "milestone", "sprint"]);

function wholeOf({ prefix, number }: Reference): Whole | undefined {
  if (PHASES.has(prefix)) return { kind: "phase", number };
  if (prefix === "us" || prefix === "story") return { kind: "story", number };
  return undefined;
}
