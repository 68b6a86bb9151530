import { stemsIn } from "../clarify/words.ts";
import type { SpecDocument } from "../spec-document.ts";
import type { Task } from "../task-document.ts";
import type { Coverage } from "./analysis.ts";
import { servesAll } from "./task-kinds.ts";

/** FR-1, FR-001 and FR001 are one requirement. */
export function referenceKey(id: string): string {
  return id.toUpperCase().replace(/[-_\s]?0*(\d+)/g, "-$1");
}

export interface Covered {
  coverage: Coverage;
  /** What each task works for, by the task's place in the list. */
  serves: string[][];
  uncovered: { requirements: string[]; stories: string[]; criteria: string[] };
  unwanted: number[];
}

/** Which task serves what of the spec: by the ids that it names; where tasks name no ids of requirements, by their words. */
export function coverageOf(spec: SpecDocument, tasks: Task[], needs: readonly (readonly number[])[]): Covered {
  const known = new Map<string, string[]>();
  for (const { id } of [...spec.requirements, ...spec.stories, ...spec.criteria]) {
    known.set(referenceKey(id), [...(known.get(referenceKey(id)) ?? []), id]);
  }
  const named = tasks.map((task) => namedBy(task, known));
  const words = new Words(spec, tasks);
  const requirements = byIdsThenWords(
    spec.requirements.map(({ id }) => id),
    tasks,
    named,
    words,
  );
  const stories = byIdsThenWords(
    spec.stories.map(({ id }) => id),
    tasks,
    named,
    words,
  );
  throughRequirements(spec, stories, requirements, tasks, words);
  const criteria = byIdsThenWords(
    spec.criteria.map(({ id }) => id),
    tasks,
    named,
    words,
    true,
  );
  const serves = tasks.map((_, at) => named[at] ?? []);
  for (const { id, tasks: found } of [...requirements.list, ...stories.list, ...criteria.list]) {
    for (const at of found) if (!serves[at]?.includes(id)) serves[at]?.push(id);
  }
  const criterionText = new Map(spec.criteria.map(({ id, text }) => [id, text]));
  const ids = (list: number[]) => list.map((at) => tasks[at]?.id ?? "");
  const open = (list: { id: string; tasks: number[] }[]) =>
    list.flatMap(({ id, tasks: found }) => (found.length === 0 ? [id] : []));
  return {
    coverage: {
      basis: spec.requirements.length === 0 ? "none" : requirements.basis,
      requirements: requirements.list.map(({ id, tasks: found }) => ({ id, tasks: ids(found) })),
    },
    serves,
    uncovered: {
      requirements: open(requirements.list),
      stories: open(stories.list),
      criteria: open(criteria.list).filter((id) => !isOutcome(criterionText.get(id) ?? "")),
    },
    unwanted: unwantedOf(spec, tasks, serves, words, needs),
  };
}

function namedBy(task: Task, known: Map<string, string[]>): string[] {
  const words = task.words.split(/[\s,;/()"“”]+/).map((word) => word.replace(/^[.:]+|[.:]+$/g, ""));
  const written = [
    ...task.serves,
    ...(task.story ? [task.story] : []),
    ...words.filter((word) => /[A-Z].*\d/.test(word)),
  ];
  // R3 may be made up beside an R003 that is given: as it is written it means one of them.
  const meant = (id: string) => {
    const ids = known.get(referenceKey(id)) ?? [];
    return ids.includes(id) ? [id] : ids;
  };
  return [...new Set(written.flatMap(meant))];
}

/** What shows only once people use it; no task can build it. */
export const isOutcome = (text: string): boolean =>
  /\b\d+\s?(?:%|percent)\s(?:of\s)?(?:\w+\s){0,2}(?:users|customers|people|visitors|members|participants|respondents)\b|\bsatisf\w+|\bsupport (?:tickets|requests)\b|\badoption\b|\bconversion\b|\bNPS\b|\bchurn\b|\brevenue\b|\b(?:weeks|months|quarters?|years?) (?:after|of|later)\b|\b(?:first|next) \w+ (?:weeks|months)\b/i.test(
    text,
  );

interface ByTask {
  basis: Coverage["basis"];
  list: { id: string; tasks: number[] }[];
}

/** Where less than half is named by id, ids are not how this document says it, and words count beside them. */
function byIdsThenWords(ids: string[], tasks: Task[], named: string[][], words: Words, always = false): ByTask {
  const byId = new Map<string, number[]>(ids.map((id) => [id, []]));
  for (const [at] of tasks.entries()) for (const id of named[at] ?? []) byId.get(id)?.push(at);
  const count = [...byId.values()].filter((list) => list.length > 0).length;
  const withWords = always || count * 2 < ids.length;
  const list = ids.map((id) => {
    const found = byId.get(id) ?? [];
    return { id, tasks: found.length === 0 && withWords ? words.tasksFor(id, count > 0) : found };
  });
  return { basis: count === 0 ? "words" : withWords && !always ? "both" : "ids", list };
}

/** More stories than these are looked at by what tasks say alone. */
const MOST_STORIES = 200;

/** A story that no task names is built where the requirements that say the same are met, unless that is for another story. */
function throughRequirements(
  spec: SpecDocument,
  stories: ByTask,
  requirements: ByTask,
  tasks: Task[],
  words: Words,
): void {
  const titles = new Map(spec.stories.map(({ id, title }) => [id, stemsIn(title)]));
  const ids = requirements.list.map(({ id }) => id);
  for (const story of stories.list.slice(0, MOST_STORIES)) {
    if (story.tasks.length > 0) continue;
    const alike = words.alike(story.id, titles.get(story.id) ?? new Set(), ids);
    const found = alike.flatMap((at) => requirements.list[at]?.tasks ?? []);
    story.tasks = [...new Set(found)].filter((at) => !tasks[at]?.story).sort((a, b) => a - b);
  }
}

interface Text {
  stems: Set<string>;
  /** Names that stand for one thing only: SQLite, ZIP, OAuth. */
  names: Set<string>;
  /** Numbers of two digits and more. */
  numbers: Set<string>;
  /** What its words weigh together. */
  weight: number;
}

/** Compares the words of the spec with those of the tasks; rare words count more than those in every other line. */
class Words {
  readonly #tasks: Text[];
  readonly #wanted: Map<string, Text>;
  readonly #subjects: Text[];
  readonly #rarity = new Map<string, number>();
  readonly #inTasks: Map<string, number[]>;
  readonly #inSubjects: Map<string, number[]>;

  constructor(spec: SpecDocument, tasks: Task[]) {
    const wanted = [
      ...[...spec.requirements, ...spec.criteria].map(({ id, text }) => ({ id, text })),
      ...spec.stories.map(({ id, title, text }) => ({ id, text: `${title} ${text.slice(0, 400)}` })),
    ].map(({ id, text }) => ({ id, text, stems: stemsIn(text) }));
    const others = [...spec.edgeCases, ...spec.entities, ...spec.scenarios].map(({ text }) => stemsIn(text));
    const ofTasks = tasks.map(({ title, words }) => stemsIn(`${title} ${words}`));
    const all = [...wanted.map(({ stems }) => stems), ...others, ...ofTasks];
    for (const [stem, places] of indexOf(all)) this.#rarity.set(stem, Math.log(1 + all.length / places.length));
    this.#wanted = new Map(wanted.map(({ id, stems, text }) => [id, this.#text(stems, text)]));
    this.#subjects = [...this.#wanted.values(), ...others.map((stems) => this.#text(stems))];
    this.#tasks = ofTasks.map((stems, at) => this.#text(stems, `${tasks[at]?.title} ${tasks[at]?.words}`));
    this.#inTasks = indexOf(ofTasks);
    this.#inSubjects = indexOf(this.#subjects.map(({ stems }) => stems));
  }

  #text(stems: Set<string>, text = ""): Text {
    const names = new Set(
      (text.match(NAME) ?? []).filter((word) => !SHOUTED.test(word)).map((word) => word.toLowerCase()),
    );
    const numbers = new Set(text.match(/(?<![\w.-])[1-9]\d+(?![\w.-])/g) ?? []);
    return { stems, names, numbers, weight: [...stems].reduce((sum, stem) => sum + (this.#rarity.get(stem) ?? 0), 0) };
  }

  /** Tasks that are about a requirement; `strict` where ids are in use and a missing one means something. */
  tasksFor(id: string, strict: boolean): number[] {
    const wanted = this.#wanted.get(id);
    if (!wanted) return [];
    const shared = this.#shared(wanted.stems, this.#inTasks, this.#tasks.length);
    const fits = ([at, found]: [number, Shared]) =>
      matches(wanted, found, strict) || (!strict && sharesName(wanted, this.#tasks[at], found));
    return shared
      .filter(fits)
      .map(([at]) => at)
      .sort((a, b) => a - b);
  }

  /** Which of `ids` say, for the greater part, what `id` says, or all that its title says. */
  alike(id: string, title: ReadonlySet<string>, ids: readonly string[]): number[] {
    const wanted = this.#wanted.get(id);
    return ids.flatMap((other, at) => {
      const text = this.#wanted.get(other);
      if (!wanted || !text) return [];
      if (title.size > 0 && [...title].every((stem) => text.stems.has(stem))) return [at];
      const both = [...text.stems].filter((stem) => wanted.stems.has(stem));
      const weight = both.reduce((sum, stem) => sum + (this.#rarity.get(stem) ?? 0), 0);
      return both.length >= 2 && weight >= 0.4 * Math.min(text.weight, wanted.weight) ? [at] : [];
    });
  }

  /** Whether anything of the spec has to do with a task: says what it says, or has most of what it says in it. */
  isAbout(at: number): boolean {
    const task = this.#tasks[at];
    if (!task) return false;
    for (const [subject, found] of this.#shared(task.stems, this.#inSubjects, this.#subjects.length)) {
      const text = this.#subjects[subject];
      if (text && (matches(text, found, false) || (found.count >= 2 && found.weight / task.weight >= 0.4))) return true;
    }
    return false;
  }

  /** How much of `stems` each of `count` texts has in it; those with nothing are left out. */
  #shared(stems: Set<string>, index: Map<string, number[]>, count: number): [number, Shared][] {
    const [weights, counts] = [new Float64Array(count), new Uint16Array(count)];
    const touched: number[] = [];
    for (const stem of stems) {
      const rarity = this.#rarity.get(stem) ?? 0;
      for (const at of index.get(stem) ?? []) {
        if (counts[at] === 0) touched.push(at);
        weights[at] = (weights[at] ?? 0) + rarity;
        counts[at] = (counts[at] ?? 0) + 1;
      }
    }
    return touched.map((at) => [at, { weight: weights[at] ?? 0, count: counts[at] ?? 0 }]);
  }
}

interface Shared {
  weight: number;
  count: number;
}

function matches(wanted: Text, { weight, count }: Shared, strict: boolean): boolean {
  const share = wanted.weight === 0 ? 0 : weight / wanted.weight;
  if (wanted.stems.size === 1) return count === 1;
  return strict ? count >= 3 && share >= 0.5 : (count >= 2 && share >= 0.45) || (count >= 3 && share >= 0.3);
}

/** Both speak of SQLite and of one thing more, or of 500 and of what there are 500 of. */
function sharesName(wanted: Text, task: Text | undefined, { count }: Shared): boolean {
  const both = (one: Set<string>, other: Set<string> | undefined) => [...one].some((word) => other?.has(word));
  return (count >= 2 && both(wanted.names, task?.names)) || (count >= 1 && both(wanted.numbers, task?.numbers));
}

const NAME = /\b(?:[A-Z]{2,}|[A-Za-z]{1,20}[a-z][A-Z][A-Za-z]{0,20}|[A-Z]{2,}[a-z]{1,20})\b/g;
/** Words in capitals that name nothing, or too much. */
const SHOUTED =
  /^(?:MUST|SHOULD|SHALL|NOT|MAY|WILL|CAN|SYSTEM|AND|OR|THE|ALL|ONLY|NEVER|FR|NFR|SC|US|REQ|UI|UX|API|ID|IDS|URL|HTTP|HTTPS|JSON|MVP|TDD|NEEDS|CLARIFICATION)$/;

function indexOf(texts: Set<string>[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [at, stems] of texts.entries()) {
    for (const stem of stems) {
      const places = index.get(stem);
      if (places) places.push(at);
      else index.set(stem, [at]);
    }
  }
  return index;
}

/** A task that names nothing of the spec, is of no kind that serves all, is not about anything there, and that no wanted task needs. */
function unwantedOf(
  spec: SpecDocument,
  tasks: Task[],
  serves: string[][],
  words: Words,
  needs: readonly (readonly number[])[],
): number[] {
  if (spec.requirements.length + spec.stories.length === 0) return [];
  const wanted = new Set(
    tasks.flatMap((task, at) => ((serves[at]?.length ?? 0) > 0 || servesAll(task) || words.isAbout(at) ? [at] : [])),
  );
  for (const at of wanted) for (const needed of needs[at] ?? []) wanted.add(needed);
  return tasks.flatMap((_, at) => (wanted.has(at) ? [] : [at]));
}
