import type { Link, Phase, Task } from "./task-document.ts";
import type { Heading, Outline } from "./task-document-entries.ts";
import { fieldOf } from "./task-document-fields.ts";
import { keyOf, prefixOf } from "./task-document-ids.ts";
import { listIn, relationsIn, type Whole } from "./task-document-relations.ts";
import type { ReadEntry, ReadTasks } from "./task-document-tasks.ts";

/** More links than these are not kept: ranges of ranges grow fast. */
const MOST_LINKS = 20_000;

/** Reads every dependency that the document states and writes the ids into the tasks. */
export function linksOf(outline: Outline, read: ReadTasks, phases: Phase[]): Link[] {
  const links = new Links(read, phases);
  for (const record of read.records) links.ofTask(record);
  for (const { line, heading } of outline.rest) links.ofLine(line.text, line.number, heading);
  for (const { line, heading, text } of drawn(outline)) links.ofDrawing(text, line, heading);
  links.finish();
  return links.list;
}

const SPEAKS_OF_DEPENDENCIES = /dependenc|execution order|task order|\bgraph\b|sequence|blocking/i;
/** A path through the graph is no dependency of each on the one before it. */
const SPEAKS_OF_OTHERS = /critical path|parallel|strategy|example|\bmvp\b/i;

/** Mermaid draws wherever it stands; plain arrows do under a heading that says so, elsewhere they may be an example. */
const draws = (fence: string, heading: Heading | undefined) =>
  /^\s*(?:`{3,}|~{3,})\s*mermaid\b/i.test(fence) ||
  (/^\s*(?:`{3,}|~{3,})\s*(?:text|txt|ascii)?\s*$/i.test(fence) && /\bgraph\b|\bdiagram\b/i.test(heading?.title ?? ""));

/** Lines of a drawn graph: the only code that is read, and of it only what names tasks that there are. */
function drawn({ lines, headings }: Outline): { text: string; line: number; heading: Heading }[] {
  let at = 0;
  let graph = false;
  return lines.flatMap(({ kind, raw, number }) => {
    while ((headings[at + 1]?.line ?? Number.POSITIVE_INFINITY) <= number) at++;
    const heading = headings[at];
    if (/^\s*(?:```|~~~)/.test(raw)) graph = !graph && draws(raw, heading);
    const wanted = kind === "code" && graph && heading && heading.line < number;
    return wanted ? [{ text: raw, line: number, heading }] : [];
  });
}

const MOST_CLAIMS = 50;
const CLAIM = /\bin parallel\b|\bsimultaneous|\bat the same time\b|\bconcurrently\b/i;
const NO_CLAIM = /\b(?:not|never|cannot|can't|after|once|then|before|unless|until)\b|→|->/i;

/** "T005, T006 can run in parallel": what is said of tasks beside their own marks. */
export function togetherIn({ rest }: Outline, tasks: Task[]): { ids: string[]; line: number }[] {
  const known = new Map(tasks.map(({ id }) => [keyOf(id), id]));
  const own = new Set(tasks.map(({ id }) => prefixOf(/^[A-Za-z]*/.exec(id)?.[0] ?? "")));
  const found: { ids: string[]; line: number }[] = [];
  for (const { line } of rest) {
    if (found.length >= MOST_CLAIMS) break;
    if (!CLAIM.test(line.text) || NO_CLAIM.test(line.text)) continue;
    const ids = new Set(listIn(line.text, own, false).ids.flatMap((id) => known.get(keyOf(id)) ?? []));
    if (ids.size > 1) found.push({ ids: [...ids].slice(0, MOST_CLAIMS), line: line.number });
  }
  return found;
}

class Links {
  readonly list: Link[] = [];
  readonly #seen = new Set<string>();
  readonly #tasks = new Map<string, Task>();
  readonly #keys = new Map<string, string>();
  readonly #own: Set<string>;
  readonly #bare: boolean;
  readonly #phaseAt: Map<number, Phase>;

  constructor(
    private readonly read: ReadTasks,
    private readonly phases: Phase[],
  ) {
    for (const task of read.tasks) this.#tasks.set(this.#key(task.id), task);
    this.#own = new Set(read.tasks.map(({ id }) => prefixOf(/^[A-Za-z]*/.exec(id)?.[0] ?? "")));
    this.#bare = this.#own.has("");
    this.#phaseAt = new Map(phases.map((phase) => [phase.line, phase]));
  }

  /** Ids come up often: each is read once. */
  #key(id: string): string {
    let key = this.#keys.get(id);
    if (key === undefined) {
      key = keyOf(id);
      this.#keys.set(id, key);
    }
    return key;
  }

  get #full(): boolean {
    return this.list.length >= MOST_LINKS;
  }

  ofTask({ entry, task, text, fields }: ReadEntry): void {
    if (this.#full) return;
    for (const field of fields) {
      const value = [field.value, ...field.more].join(", ");
      if (field.name === "depends") this.#field(task, field.value ? value : field.more.join(", "), field.line);
      else if (field.name === "blocks") for (const id of this.#listed(value).ids) this.#add(id, task.id, field.line);
      else this.#spoken(task, value, field.line);
    }
    const inFields = fields.some(({ name, line }) => name === "depends" && line === entry.line);
    if (!inFields) this.#spoken(task, text, entry.line);
    else this.#spoken(task, task.title, entry.line);
    for (const { text: line, number } of entry.body) if (!fieldOf(line)) this.#spoken(task, line, number);
  }

  /** A field that says what a task needs. Words such as "blocks T005" in it still mean what they say. */
  #field(task: Task, value: string, line: number): void {
    if (/^\W*(?:none|n\/?a|nothing|no)\b/i.test(value)) return;
    const turn = value.search(/\b(?:blocks|unblocks|required by|needed by|parallel|independent)\b/i);
    if (EARLIER.test(value)) for (const id of this.#before(task)) this.#add(task.id, id, line);
    const { ids, whole } = this.#listed(turn < 0 ? value : value.slice(0, turn));
    for (const id of ids) this.#add(task.id, id, line);
    this.#wholes(task, whole, line);
    if (turn >= 0) this.#spoken(task, value.slice(turn), line);
  }

  #before(task: Task): string[] {
    const at = this.read.tasks.indexOf(task);
    return this.read.tasks.slice(0, at).map(({ id }) => id);
  }

  #listed = (value: string) => listIn(value, this.#own, this.#bare);

  /** What a task's own words say: it is the subject unless they name another. */
  #spoken(task: Task, text: string, line: number): void {
    for (const { kind, left, right, whole } of relationsIn(text, this.#own)) {
      const subjects = left.filter((id) => this.#tasks.has(this.#key(id)));
      const lefts = subjects.length > 0 && !/^\s*\(/.test(text) ? subjects : [task.id];
      for (const one of lefts) for (const id of right) this.#relate(kind, one, id, line, lefts.length > 1);
      this.#wholes(task, whole, line);
    }
  }

  #relate(kind: "needs" | "blocks", left: string, right: string, line: number, several: boolean): void {
    if (several && this.#key(left) === this.#key(right)) return;
    if (kind === "needs") this.#add(left, right, line);
    else this.#add(right, left, line);
  }

  /** A line outside of the tasks: in a section on dependencies its sentences count; under a phase, its fields. */
  ofLine(text: string, line: number, heading: Heading | undefined): void {
    if (this.#full) return;
    const field = fieldOf(text);
    const phase = heading && this.#phaseAt.get(heading.line);
    if (phase && field?.name === "depends") this.#phaseNeeds(phase, field.value, line);
    if (!isAbout(heading)) return;
    this.#phaseSentence(text);
    for (const sentence of text.split(/;|\.\s+(?=[A-Z])/)) {
      for (const { kind, left, right } of relationsIn(sentence, this.#own, true)) {
        for (const one of left)
          for (const id of right) this.#relate(kind, one, id, line, left.length > 1 || right.length > 1);
      }
    }
    const [, label = "", value = ""] = LISTED.exec(text) ?? [];
    const subject = this.#tasks.get(this.#key(label));
    if (subject && cuesNothing(value)) this.#field(subject, value, line);
  }

  ofDrawing(text: string, line: number, heading: Heading): void {
    if (!isAbout(heading)) return;
    for (const { kind, left, right } of relationsIn(
      text.replace(/\[[^\]]{0,100}\]|\([^)]{0,100}\)/g, " "),
      this.#own,
      true,
    )) {
      for (const one of left)
        for (const id of right)
          if (this.#tasks.has(this.#key(one)) && this.#tasks.has(this.#key(id)))
            this.#relate(kind, one, id, line, true);
    }
  }

  #phaseNeeds(phase: Phase, value: string, line: number): void {
    const { ids, whole } = this.#listed(value);
    for (const task of phase.tasks)
      for (const id of ids) if (this.#key(id) !== this.#key(task)) this.#add(task, id, line);
    for (const { kind, number } of whole) if (kind === "phase") this.#phaseOrder(phase, number);
  }

  #phaseOrder(phase: Phase, number: string): void {
    const at = this.phases.findIndex((one) => one.number === number);
    if (at >= 0 && this.phases[at] !== phase && !phase.needs.includes(at)) phase.needs.push(at);
  }

  /** spec-kit: "**Foundational (Phase 2)**: Depends on Setup completion - BLOCKS all user stories". */
  #phaseSentence(text: string): void {
    const [subject = "", rest = ""] = /^(.{0,120}?)\b(?:depends? on|after)\b(.*)$/i.exec(text)?.slice(1) ?? [];
    if (rest === "" || /\bno dependencies\b/i.test(text)) return;
    for (const phase of this.#phasesNamed(subject)) {
      for (const needed of this.#phasesNamed(rest.split(/\s-\s|\bblocks\b|\bno dependencies\b/i)[0] ?? "")) {
        const at = this.phases.indexOf(needed);
        if (needed !== phase && at < this.phases.indexOf(phase) && !phase.needs.includes(at)) phase.needs.push(at);
      }
    }
  }

  #phasesNamed(text: string): Phase[] {
    const numbers = new Set(
      [...text.matchAll(/\bphase\s{0,3}(\d{1,3}(?:\.\d{1,2})?)(?![\d.+])/gi)].map(([, number]) => number),
    );
    const onwards = Number(/\bphase\s{0,3}(\d{1,3})\s?\+/i.exec(text)?.[1] ?? Number.NaN);
    const kinds = new Set(Object.entries(KIND_WORDS).flatMap(([kind, words]) => (words.test(text) ? [kind] : [])));
    if (numbers.size === 0 && Number.isNaN(onwards) && kinds.size === 0) return [];
    return this.phases.filter(({ number, kind }) => {
      if (kind === "story" && !Number.isNaN(onwards)) return Number(number) >= onwards;
      return (number !== undefined && numbers.has(number)) || kinds.has(kind);
    });
  }

  #wholes(task: Task, whole: Whole[], line: number): void {
    for (const { kind, number } of whole) {
      const phase = this.phases.find((one) =>
        kind === "phase" ? one.number === number : one.story === `US${Number(number)}`,
      );
      if (!phase || phase.tasks.includes(task.id)) continue;
      for (const id of phase.tasks) this.#add(task.id, id, line);
    }
  }

  #add(task: string, needs: string, line: number): void {
    if (this.#full) return;
    const group = this.read.groups.get(this.#key(needs));
    if (group && !this.#tasks.has(this.#key(needs))) {
      for (const id of group) if (id !== task) this.#add(task, id, line);
      return;
    }
    const [from, to] = [this.#resolve(task), this.#resolve(needs)];
    const [name, needed] = [from?.id ?? task, to?.id ?? needs];
    if (!from && !to) return;
    // "T005 blocks T999" hangs on the task that says so, and so does "T999 needs T001".
    const link: Link = from
      ? { task: name, needs: needed, line, known: to !== undefined }
      : { task: needed, needs: name, line, known: false, reversed: true };
    const key = `${link.task}\u0000${link.needs}\u0000${link.known}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.list.push(link);
  }

  #resolve(id: string): Task | undefined {
    const key = this.#key(id);
    return (
      this.#tasks.get(key) ??
      this.#tasks.get(key.replace(/^t/, "")) ??
      (/^\d/.test(key) ? (this.#tasks.get(`t${key}`) ?? this.#tasks.get(`#${key}`)) : undefined)
    );
  }

  finish(): void {
    for (const { task, needs, reversed } of this.list)
      if (!reversed) this.#tasks.get(this.#key(task))?.dependsOn.push(needs);
  }
}

/** "- **T005**: T001, T002" in a section on dependencies. */
const LISTED = /^[\s*+•-]*([A-Za-z]{0,10}[- ]?\d{1,5}(?:\.\d{1,3}){0,2}[a-z]?)\**\s*:\**\s*(.+)$/;
const cuesNothing = (text: string) => !/[a-z]{3}/i.test(text.replace(/\b(?:and|tasks?)\b/gi, ""));

const EARLIER = /\ball (?:(?:the )?(?:previous|prior|earlier|preceding|above|other)(?: tasks| phases)?|tasks above)\b/i;

const KIND_WORDS = {
  setup: /\bset-?up\b/i,
  foundation: /\bfoundation\w*/i,
  story: /\ball (?:desired |selected )?user stories\b/i,
  polish: /\bpolish\b/i,
} as const;

function isAbout(heading: Heading | undefined): boolean {
  for (let above = heading; above; above = above.parent) {
    if (SPEAKS_OF_OTHERS.test(above.title)) return false;
    if (above.level > 1 && SPEAKS_OF_DEPENDENCIES.test(above.title)) return true;
  }
  return false;
}
