import type { Phase, Task } from "./task-document.ts";
import { drawnLines } from "./task-document-drawn.ts";
import type { Heading, Outline } from "./task-document-entries.ts";
import { fieldOf } from "./task-document-fields.ts";
import { keyOf, prefixOf } from "./task-document-ids.ts";
import { LinkList, MOST_LINKS } from "./task-document-link-list.ts";
import { orderPhases } from "./task-document-phase-order.ts";
import { listIn, type Relation, relationsIn, type Whole } from "./task-document-relations.ts";
import type { ReadEntry, ReadTasks } from "./task-document-tasks.ts";

/** Reads every dependency that the document states and writes the ids into the tasks. */
export function linksOf(outline: Outline, read: ReadTasks, phases: Phase[]): LinkList {
  const links = new Links(read, phases);
  for (const record of read.records) links.ofTask(record);
  for (const { line, heading } of outline.rest) links.ofLine(line.text, line.number, heading);
  for (const { line, heading, text } of drawnLines(outline)) links.ofDrawing(text, line, heading);
  links.finish();
  return links.list;
}

const SPEAKS_OF_DEPENDENCIES = /dependenc|execution order|task order|\bgraph\b|sequence|blocking/i;
/** A path through the graph is no dependency of each on the one before it. */
const SPEAKS_OF_OTHERS = /critical path|parallel|strategy|example|\bmvp\b/i;

class Links {
  readonly list = new LinkList();
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

  ofTask({ entry, task, text, fields }: ReadEntry): void {
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
      this.#relate(kind, lefts, right, line, lefts.length > 1);
      this.#wholes(task, whole, line);
    }
  }

  /** Each of the left with each of the right. `several` are no statement of one on itself. */
  #relate(kind: Relation["kind"], left: string[], right: string[], line: number, several: boolean): void {
    const [lefts, rights] = [this.#sides(left), this.#sides(right)];
    const pair = (one: string, others: string[]) => {
      for (const other of others) {
        if (several && this.#key(one) === this.#key(other)) continue;
        if (kind === "needs") this.#add(one, other, line);
        else this.#add(other, one, line);
      }
    };
    // Two long ranges are millions of pairs, most with no task: once nothing more is kept, those are not looked at.
    const many = lefts.all.length * rights.all.length > MOST_LINKS;
    for (const one of lefts.known) {
      const isCounted = many && this.list.isFull;
      pair(one, isCounted ? rights.known : rights.all);
      if (isCounted) this.list.leaveOut(rights.unknown.length);
    }
    for (const one of lefts.unknown) {
      if (many && this.list.isFull) this.list.leaveOut(rights.known.length);
      else pair(one, rights.known);
    }
  }

  /** Two ids that there are no tasks of say nothing, however many they are. */
  #sides(ids: string[]): { all: string[]; known: string[]; unknown: string[] } {
    const all = ids.length > 1 ? [...new Set(ids)] : ids;
    const [known, unknown]: [string[], string[]] = [[], []];
    for (const id of all) (this.#resolve(id) || this.read.groups.has(this.#key(id)) ? known : unknown).push(id);
    return { all, known, unknown };
  }

  /** A line outside of the tasks: in a section on dependencies its sentences count; under a phase, its fields. */
  ofLine(text: string, line: number, heading: Heading | undefined): void {
    const field = fieldOf(text);
    const phase = heading && this.#phaseAt.get(heading.line);
    if (phase && field?.name === "depends") this.#phaseNeeds(phase, field.value, line);
    if (!isAbout(heading)) return;
    orderPhases(text, this.phases);
    for (const sentence of text.split(/;|\.\s+(?=[A-Z])/)) {
      for (const { kind, left, right } of relationsIn(sentence, this.#own, true)) {
        this.#relate(kind, left, right, line, left.length > 1 || right.length > 1);
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
      const there = (ids: string[]) => ids.filter((id) => this.#tasks.has(this.#key(id)));
      this.#relate(kind, there(left), there(right), line, true);
    }
  }

  #phaseNeeds(phase: Phase, value: string, line: number): void {
    const { ids, whole } = this.#listed(value);
    this.#relate("needs", phase.tasks, ids, line, true);
    for (const { kind, number } of whole) if (kind === "phase") this.#phaseOrder(phase, number);
  }

  #phaseOrder(phase: Phase, number: string): void {
    const at = this.phases.findIndex((one) => one.number === number);
    if (at >= 0 && this.phases[at] !== phase && !phase.needs.includes(at)) phase.needs.push(at);
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
    const group = this.read.groups.get(this.#key(needs));
    if (group && !this.#tasks.has(this.#key(needs))) {
      for (const id of group) if (id !== task) this.#add(task, id, line);
      return;
    }
    const [from, to] = [this.#resolve(task), this.#resolve(needs)];
    const [name, needed] = [from?.id ?? task, to?.id ?? needs];
    if (!from && !to) return;
    // "T005 blocks T999" hangs on the task that says so, and so does "T999 needs T001".
    this.list.add(
      from
        ? { task: name, needs: needed, line, known: to !== undefined }
        : { task: needed, needs: name, line, known: false, reversed: true },
    );
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
    for (const { task, needs, reversed } of this.list.kept)
      if (!reversed) this.#tasks.get(this.#key(task))?.dependsOn.push(needs);
  }
}

/** "- **T005**: T001, T002" in a section on dependencies. */
const LISTED = /^[\s*+•-]*([A-Za-z]{0,10}[- ]?\d{1,5}(?:\.\d{1,3}){0,2}[a-z]?)\**\s*:\**\s*(.+)$/;
const cuesNothing = (text: string) => !/[a-z]{3}/i.test(text.replace(/\b(?:and|tasks?)\b/gi, ""));

const EARLIER = /\ball (?:(?:the )?(?:previous|prior|earlier|preceding|above|other)(?: tasks| phases)?|tasks above)\b/i;

function isAbout(heading: Heading | undefined): boolean {
  for (let above = heading; above; above = above.parent) {
    if (SPEAKS_OF_OTHERS.test(above.title)) return false;
    if (above.level > 1 && SPEAKS_OF_DEPENDENCIES.test(above.title)) return true;
  }
  return false;
}
