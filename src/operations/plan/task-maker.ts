import { isOutcome } from "../analyze/coverage.ts";
import { shortened } from "../analyze/place.ts";
import { isMeasurable } from "../analyze/spec-faults.ts";
import { shared, stemsIn } from "../clarify/words.ts";
import type { Criterion, Item, Requirement } from "../spec-document.ts";
import { entityName } from "./assignment.ts";
import type { Conflict } from "./conflicts.ts";
import { asName, fileName } from "./file-names.ts";
import type { Layout } from "./layout.ts";
import { plainWords, toDo } from "./plain-words.ts";
import { type Detail, inGroups, type PlannedTask, task } from "./planned-task.ts";

/** No task is made larger than three days. */
const MOST_HOURS = 24;

/** Makes the tasks for what stands in a spec, each with a file of its own. */
export class TaskMaker {
  readonly #files = new Set<string>();
  /** The next number for a name that is taken. */
  readonly #next = new Map<string, number>();
  readonly #decisions: { task: PlannedTask; ids: string[] }[] = [];

  constructor(
    private readonly layout: Layout,
    private readonly detail: Detail,
  ) {}

  /** What has to be decided before either of two requirements can be built. */
  decision({ first, second }: Conflict): PlannedTask {
    const ids = [first.id, second.id];
    const made = task({
      title: `Decide between ${ids.join(" and ")}, which contradict each other, with whoever asked for them`,
      hours: 2,
      serves: ids,
      acceptance: `spec.md says only one of the two (lines ${first.line} and ${second.line})`,
    });
    this.#decisions.push({ task: made, ids });
    return made;
  }

  #decided = (ids: string[]) =>
    this.#decisions.filter((one) => ids.some((id) => one.ids.includes(id))).map((one) => one.task);

  models(entities: Item[], needs: PlannedTask[], story?: string): PlannedTask[] {
    return inGroups(entities, this.detail.perTask).map((group) => {
      const names = group.map(({ text }) => shortened(plainWords(entityName(text)), 60) || "unnamed entity");
      const about = group.length === 1 ? attributes(group[0]?.text ?? "", this.detail.quote) : "";
      const file = this.file(this.layout.paths.model, fileName(names[0] ?? "", `entity-${group[0]?.line}`, 3));
      const models = group.length === 1 ? "model" : "models";
      return task({
        title: `Create the ${shortened(names.join(", "), this.detail.title)} ${models}${about}`,
        file,
        story,
        parallel: true,
        hours: Math.min(MOST_HOURS, 2 * group.length),
        needs,
        serves: story ? [story] : [],
        acceptance: `a unit test creates, reads back and validates ${group.length === 1 ? "it" : "each"} (spec.md line ${linesOf(group)})`,
      });
    });
  }

  /** Written first; one case for each scenario. */
  scenarioTest(what: string, name: string, scenarios: Item[], needs: PlannedTask[], story?: string): PlannedTask {
    const count = scenarios.length;
    const many = count === 1 ? "the acceptance scenario" : `the ${count} acceptance scenarios`;
    return task({
      title: count > 0 ? `Integration test of ${many} of ${what}` : `Integration test of ${what}`,
      file: this.file(this.layout.paths.integration, name),
      story,
      parallel: true,
      hours: Math.min(16, Math.max(2, 1 + count)),
      needs,
      serves: story ? [story] : [],
      acceptance:
        count > 0
          ? "each scenario is a case of its own that fails before the work and passes after it"
          : "the test fails before the work and passes after it; what it expects is written into the spec as a scenario",
      details:
        this.detail.perTask > 4
          ? []
          : scenarios
              .slice(0, 20)
              .map(
                ({ text, line }, at) =>
                  `Scenario ${at + 1} (spec.md line ${line}) ${shortened(plainWords(text), this.detail.quote * 1.5)}`,
              ),
    });
  }

  requirements(list: Requirement[], needs: PlannedTask[], story?: string): PlannedTask[] {
    return inGroups(list, this.detail.perTask).map((group) => {
      const ids = group.map(({ id }) => id);
      const title = this.#together(group.map(({ text }) => text));
      const name = this.#free(this.layout.paths.service, fileName(toDo(group[0]?.text ?? "", 120), ids[0] ?? "part"));
      return task({
        title,
        file: this.file(this.layout.paths.service, name),
        story,
        hours: Math.min(
          MOST_HOURS,
          group.reduce((sum, { text }) => sum + effort(text), 0),
        ),
        needs: [...needs, ...this.#decided(ids)],
        serves: ids,
        acceptance: `a unit test in ${this.layout.paths.unit(name)} shows ${this.#shown(group)}`,
      });
    });
  }

  #shown(group: Requirement[]): string {
    const [first] = group;
    if (!first || group.length > 1) return `each of ${group.length} requirements`;
    const words = plainWords(first.text);
    if (words.includes("(open question"))
      return `what spec.md says in line ${first.line}, once the question there is answered`;
    return `“${shortened(words, this.detail.quote)}” (spec.md line ${first.line})`;
  }

  /** What is a property of the whole is not built somewhere but shown by a check of its own. */
  qualities(list: Requirement[], needs: PlannedTask[]): PlannedTask[] {
    return inGroups(list, this.detail.perTask).map((group) => {
      const ids = group.map(({ id }) => id);
      const words = this.#together(group.map(({ text }) => text));
      const vague = group.some(({ text }) => !/\d/.test(text));
      const where = `spec.md line ${linesOf(group)}`;
      return task({
        title: vague ? `Agree on numbers for “${words}” and verify them` : `Verify “${words}”`,
        file: this.file(this.layout.paths.measure, `${asName(ids[0] ?? "")}-quality`),
        parallel: true,
        hours: Math.min(MOST_HOURS, 4 * group.length),
        needs: [...needs, ...this.#decided(ids)],
        serves: ids,
        acceptance: vague
          ? `the numbers are written into the spec (${where}), and a repeatable check reaches them`
          : `a repeatable check reports the number and it is reached (${where})`,
      });
    });
  }

  #together(texts: string[]): string {
    if (texts.length === 1) return toDo(texts[0] ?? "", this.detail.title);
    const each = Math.max(16, Math.floor(this.detail.title / texts.length) * 2);
    return shortened(texts.map((text) => toDo(text, each)).join("; "), this.detail.title * 2);
  }

  /** An edge case is handled where the requirement that it is nearest to is met. */
  edgeCases(list: Item[], needs: PlannedTask[], built: PlannedTask[], story?: string): PlannedTask[] {
    return inGroups(list, this.detail.perTask).map((group) => {
      const title = shortened(
        group.map(({ text }) => edgeCase(text)).join("; "),
        this.detail.title * (group.length > 1 ? 2 : 1),
      );
      const nearest = closestTo(title, built);
      const open = group.some(({ text }) => /\?\s*$/.test(text));
      const lines = `spec.md line ${linesOf(group)}`;
      return task({
        title: `Handle the edge case${group.length > 1 ? "s" : ""}: ${title}`,
        file: nearest?.file ?? this.file(this.layout.paths.errors, fileName(title, `edge-case-${group[0]?.line}`)),
        story,
        hours: Math.min(MOST_HOURS, (open ? 4 : 2) * group.length),
        needs: nearest ? [nearest] : needs,
        serves: story ? [story] : [],
        acceptance: open
          ? `what happens is decided and written into the spec (${lines}); a test provokes it and shows that`
          : `a test provokes it and shows what the spec says (${lines})`,
      });
    });
  }

  measures(criteria: Criterion[], needs: PlannedTask[]): PlannedTask[] {
    return inGroups(criteria, this.detail.perTask).map((group) => this.#measure(group, needs));
  }

  #measure(group: Criterion[], needs: PlannedTask[]): PlannedTask {
    const ids = group.map(({ id }) => id);
    const most = Math.max(20, Math.floor(this.detail.title / group.length));
    const words = group.map(({ text }) => toDo(text, most)).join("; ");
    const later = group.every(({ text }) => isOutcome(text));
    return task({
      title: `${later ? "Record in use what is needed to measure" : "Measure"} ${shortened(ids.join(", "), 60)}: ${words}`,
      file: this.file(this.layout.paths.measure, `${asName(ids[0] ?? "")}-${fileName(words, "criterion", 2)}`),
      parallel: true,
      hours: Math.min(MOST_HOURS, 4 * group.length),
      needs,
      serves: ids,
      acceptance: this.#proofOf(group, later),
    });
  }

  #proofOf(group: Criterion[], later: boolean): string {
    const where = `spec.md line ${linesOf(group)}`;
    if (group.some(({ text }) => !isMeasurable(text)))
      return `a number is agreed and written into the spec (${where}), and a repeatable check reaches it`;
    if (later)
      return `the number can be read at any time after the release, and who looks at it when is agreed (${where})`;
    return `a repeatable check reports the number and it is reached (${where})`;
  }

  proof(test: Item | undefined, scenarios: Item[], text: string): string {
    const said = plainWords(test?.text ?? "");
    if (said) return shortened(said, this.detail.quote * 2);
    const first = plainWords(scenarios[0]?.text ?? "");
    return first
      ? `walk through its first scenario, ${shortened(first, this.detail.quote)}`
      : `show what it promises, “${shortened(plainWords(text) || "as the spec has it", this.detail.quote)}”`;
  }

  /** Each thing has a file of its own. */
  file(path: (name: string) => string, name: string): string {
    const made = path(this.#free(path, name));
    this.#files.add(made);
    return made;
  }

  #free(path: (name: string) => string, name: string): string {
    if (!this.#files.has(path(name))) return name;
    const base = path(name);
    for (let at = this.#next.get(base) ?? 2; ; at++) {
      this.#next.set(base, at);
      if (!this.#files.has(path(`${name}-${at}`))) return `${name}-${at}`;
    }
  }

  /** Of a spec that states no requirements: what its sentences say. */
  statements(said: Item[], needs: PlannedTask[]): PlannedTask[] {
    return inGroups(said, this.detail.perTask).map((group) =>
      task({
        title: this.#together(group.map(({ text }) => text)),
        file: this.file(this.layout.paths.service, fileName(toDo(group[0]?.text ?? "", 120), `line-${group[0]?.line}`)),
        hours: Math.min(MOST_HOURS, 4 * group.length),
        needs,
        acceptance: `a test shows what the spec says in line ${linesOf(group)}; the requirement is written down there with an id`,
      }),
    );
  }
}

const linesOf = (group: Item[]) => group.map(({ line }) => line).join(", ");

function attributes(text: string, most: number): string {
  const rest = plainWords(text.slice(entityName(text).length))
    .replace(/^[^\p{L}\p{N}]+/u, "")
    .replace(/[.\s]+$/, "");
  return rest.length > 2 ? ` (${shortened(rest.replace(/[()]/g, ""), most)})` : "";
}

/** Long sentences and lists take longer. */
function effort(text: string): number {
  const words = text.split(/\s+/).length;
  const parts = text.split(/,|;|\band\b|\bor\b/i).length;
  if (words > 35 || parts > 5) return 8;
  return words <= 8 && parts <= 2 ? 2 : 4;
}

function edgeCase(text: string): string {
  const words = plainWords(text.replace(/:\s/, "; "))
    .replace(/\?\s*$/, "")
    .replace(
      /^(?:what (?:happens|should happen|if)|how (?:does|should|will) (?:the )?(?:system|app|application|it) (?:handle|behave|react|respond|deal with)(?: to| with)?|what does (?:the )?system do)\s*(?=\S)/i,
      "",
    );
  return words.replace(/[.\s]+$/, "") || "what the spec names there";
}

const stemsOf = new WeakMap<PlannedTask, Set<string>>();

function closestTo(text: string, tasks: PlannedTask[]): PlannedTask | undefined {
  const words = stemsIn(text);
  let [best, most] = [tasks[0], 0];
  for (const one of tasks) {
    const stems = stemsOf.get(one) ?? stemsIn(one.title);
    stemsOf.set(one, stems);
    const count = shared(stems, words).length;
    if (count > most) [best, most] = [one, count];
  }
  return best;
}
