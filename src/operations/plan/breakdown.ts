import { shortened } from "../analyze/place.ts";
import type { Item, Requirement, SpecDocument, Story } from "../spec-document.ts";
import { type Assignment, assignmentOf, byPriority, entityName } from "./assignment.ts";
import type { Conflict } from "./conflicts.ts";
import { asName, fileName } from "./file-names.ts";
import { asksForStore, keepsData, type Layout } from "./layout.ts";
import { plainWords } from "./plain-words.ts";
import { type Detail, ends, type PlannedPhase, type PlannedTask, task } from "./planned-task.ts";
import { isQuality } from "./quality.ts";
import { TaskMaker } from "./task-maker.ts";

/** Breaks a spec down: what sets up, what all stories need, each story by itself, what holds for all, what polishes. */
export function breakdownOf(
  spec: SpecDocument,
  name: string,
  layout: Layout,
  detail: Detail,
  conflicts: Conflict[],
): PlannedPhase[] {
  const maker = new Breakdown(spec, name, layout, detail, conflicts);
  return maker.phases();
}

/** So many stories have a phase of their own; more than these share one. */
export const MOST_STORIES = 40;

/** "Can be fully tested by …" tells how; in a sentence of ours only the rest is wanted. */
const CAN_BE_TESTED =
  /^(?:this |it )?can be (?:fully |independently )?tested (?:independently )?(?=(?:by|with|in|on|as)\b)/i;

const ACROSS = "Requirements Across Stories";
const PURPOSES: Record<string, string> = {
  [ACROSS]: "What the spec asks for and no single story brings",
  "Further User Stories": "Stories that come after those with a phase of their own",
  "Edge Cases Across Stories": "Edge cases that belong to no single story",
};

class Breakdown {
  readonly #assignment: Assignment;
  /** Requirements that the store meets. */
  readonly #stored: Requirement[];
  /** Requirements that are measured, not built. */
  readonly #qualities: Requirement[];
  readonly #further: Story[];
  readonly #make: TaskMaker;
  #base: PlannedTask[] = [];

  constructor(
    private readonly spec: SpecDocument,
    private readonly name: string,
    private readonly layout: Layout,
    private readonly detail: Detail,
    private readonly conflicts: Conflict[],
  ) {
    this.#make = new TaskMaker(layout, detail);
    this.#stored = asksForStore(spec);
    const rest = spec.requirements.filter((one) => !this.#stored.includes(one));
    const qualities = rest.filter(isQuality);
    this.#qualities = qualities.length < rest.length || spec.stories.length > 0 ? qualities : [];
    const [first, further] = byPriority(spec.stories, MOST_STORIES);
    this.#further = further;
    this.#assignment = assignmentOf({ ...spec, stories: first }, new Set([...this.#stored, ...this.#qualities]));
  }

  phases(): PlannedPhase[] {
    const setup = this.#setup();
    const foundation = this.#foundation(setup);
    this.#base = ends(foundation.tasks);
    foundation.tasks.unshift(...this.conflicts.map((one) => this.#make.decision(one)));
    const stories = this.#assignment.stories.map((one) => this.#story(one));
    const across = [...this.#furtherStories(), ...this.#across()];
    const built = [foundation, ...stories, ...across];
    return [setup, ...built, this.#polish(built)].filter(({ tasks }) => tasks.length > 0);
  }

  #setup(): PlannedPhase {
    const { layout } = this;
    const folders = [
      ...new Set(
        [layout.paths.model, layout.paths.service, layout.paths.face].map((path) =>
          path("x").split("/").slice(0, 2).join("/"),
        ),
      ),
    ];
    const structure = task({
      title: `Create the project structure of plan.md (${folders.join(", ")}, tests)`,
      hours: 2,
      acceptance: "the project builds and an empty test run passes",
    });
    const tools = task({
      title: `Configure linting, formatting and ${layout.runner}`,
      hours: 2,
      parallel: true,
      needs: [structure],
      acceptance: "one command checks the style and runs the tests, and CI runs it on every push",
    });
    return {
      title: "Setup (Shared Infrastructure)",
      kind: "setup",
      purpose: "Project structure and tools",
      checkpoint: "The project builds and its checks run",
      tasks: [structure, tools],
    };
  }

  #foundation(setup: PlannedPhase): PlannedPhase {
    const { paths } = this.layout;
    const first = setup.tasks.slice(0, 1);
    const { entities } = this.#assignment.shared;
    const tasks: PlannedTask[] = [];
    if (keepsData(this.spec)) {
      const names = this.spec.entities.map(({ text }) => shortened(plainWords(entityName(text)), 40)).filter(Boolean);
      const what = names.length > 0 ? ` for ${shortened(names.join(", "), this.detail.title - 30)}` : "";
      tasks.push(
        task({
          title: `Set up storage and schema migrations${what}`,
          file: this.#make.file(paths.storage, "database"),
          needs: first,
          serves: this.#stored.map(({ id }) => id),
          acceptance: "the migrations run up and down on an empty store, in a test",
        }),
      );
    }
    tasks.push(...this.#make.models(entities, tasks.length > 0 ? [...tasks] : first));
    const failures = task({
      title: "Define error types with their codes, messages and logging",
      file: this.#make.file(paths.errors, "errors"),
      needs: first,
      acceptance: "each error has a code and a message that says what to do next; none is swallowed",
    });
    tasks.push(failures);
    return {
      title: "Foundational (Blocking Prerequisites)",
      kind: "foundation",
      purpose: "What every story needs before it can begin",
      checkpoint: "Foundation ready: user stories can begin, side by side",
      tasks,
    };
  }

  #story({ story, requirements, entities, edgeCases }: Assignment["stories"][number]): PlannedPhase {
    const title = plainWords(story.title) || `Story at line ${story.line}`;
    const name = fileName(title, story.id);
    const test = this.#make.scenarioTest(
      `“${shortened(title, 60)}”`,
      `${story.id.toLowerCase()}-${name}`,
      story.scenarios,
      this.#base,
      story.id,
    );
    const models = this.#make.models(entities, this.#base, story.id);
    const wanted =
      requirements.length > 0
        ? requirements
        : [{ ...story, id: story.id, text: story.text || story.title, given: false }];
    const built = this.#make.requirements(wanted, [test, ...models], story.id);
    this.#mark(test, models, built);
    const cases = this.#make.edgeCases(edgeCases, [test, ...models], built, story.id);
    const needs = ends([test, ...models, ...built, ...cases]);
    const proof = this.#make.proof(story.independentTest, story.scenarios, story.text);
    const face = task({
      title: `Connect “${shortened(title, this.detail.title - 40)}” from end to end`,
      file: this.#make.file(this.layout.paths.face, name),
      story: story.id,
      needs,
      serves: [story.id],
      acceptance: `${story.scenarios.length > 0 ? `all scenarios of ${story.id} pass` : `the test of ${story.id} passes`}, and by hand: ${proof.replace(CAN_BE_TESTED, "")}`,
    });
    return {
      title: `User Story ${story.id.replace(/^US/, "")} - ${shortened(title, 80)}${story.priority ? ` (Priority: ${plainWords(story.priority)})` : ""}`,
      name: shortened(title, 80),
      kind: "story",
      purpose: shortened(plainWords(story.text) || title, 300),
      story: story.id,
      independentTest: shortened(proof, 300),
      checkpoint: `${story.id} works and can be tested by itself`,
      tasks: [test, ...models, ...built, ...cases, face],
    };
  }

  /** What comes first and what waits for it cannot both be marked: the larger lot is. */
  #mark(test: PlannedTask, models: PlannedTask[], built: PlannedTask[]): void {
    if (models.length > 0 || built.length < 2) return;
    test.parallel = false;
    for (const one of built) one.parallel = true;
  }

  /** Stories beyond those that have a phase each: each group of them is one task. */
  #furtherStories(): PlannedPhase[] {
    if (this.#further.length === 0) return [];
    const asked = this.#further.map((story) => ({ ...story, text: story.title || story.text, given: true }));
    return [this.#part("Further User Stories", asked, [], false)];
  }

  /** What belongs to no story; without stories, all of it, by the headings of the spec. */
  #across(): PlannedPhase[] {
    const { requirements, edgeCases } = this.#assignment.shared;
    const alone = this.#assignment.stories.length === 0;
    const parts = alone
      ? this.#bySection(requirements)
      : requirements.length > 0
        ? [{ title: ACROSS, requirements }]
        : [];
    const phases = parts.map((part, at) =>
      this.#part(part.title, part.requirements, at === 0 ? edgeCases : [], alone && at === 0),
    );
    if (phases.length > 0) return phases;
    if (alone) return [this.#prose(edgeCases)];
    return edgeCases.length > 0 ? [this.#part("Edge Cases Across Stories", [], edgeCases, false)] : [];
  }

  #part(title: string, requirements: Requirement[], edgeCases: Item[], withScenarios: boolean): PlannedPhase {
    const scenarios = withScenarios ? this.spec.scenarios : [];
    const test =
      requirements.length > 0
        ? [
            this.#make.scenarioTest(
              shortened(requirements.map(({ id }) => id).join(", "), 80),
              asName(title) || "across",
              scenarios,
              this.#base,
            ),
          ]
        : [];
    for (const one of test) one.serves = this.detail.perTask > 1 ? [] : requirements.slice(0, 10).map(({ id }) => id);
    const needs = test.length > 0 ? test : this.#base;
    const built = this.#make.requirements(requirements, needs);
    for (const one of test) this.#mark(one, [], built);
    const cases = this.#make.edgeCases(edgeCases, needs, built);
    return {
      title,
      kind: "across",
      purpose: PURPOSES[title] ?? `What the spec asks for under “${shortened(title, 60)}”`,
      checkpoint: "Its tests pass together with those of the phases before",
      tasks: [...test, ...built, ...cases],
    };
  }

  #bySection(requirements: Requirement[]): { title: string; requirements: Requirement[] }[] {
    const groups = new Map<string, Requirement[]>();
    for (const requirement of requirements) {
      const section = this.spec.sections.findLast(
        ({ line, end, level }) => level < 7 && level > 1 && line <= requirement.line && end >= requirement.line,
      );
      const title =
        plainWords(section?.title ?? "")
          .replace(/\((?:mandatory|optional)[^)]*\)/i, "")
          .trim() || "Requirements";
      const group = groups.get(title);
      if (group) group.push(requirement);
      else groups.set(title, [requirement]);
    }
    if (groups.size > 8) return [{ title: "Requirements", requirements }];
    return [...groups].map(([title, list]) => ({ title, requirements: list }));
  }

  /** A spec of prose only: its statements are what there is to build from. */
  #prose(edgeCases: Item[]): PlannedPhase {
    const said = this.spec.statements
      .filter(({ role, text, block }) => role !== "aside" && block.kind !== "heading" && plainWords(text).length > 15)
      .slice(0, 25 * this.detail.perTask);
    const test = this.#make.scenarioTest(
      `“${shortened(this.name, 60)}”`,
      fileName(this.name, "feature"),
      this.spec.scenarios,
      this.#base,
    );
    const built = this.#make.statements(said, [test]);
    const cases = this.#make.edgeCases(edgeCases, [test], built);
    return {
      title: shortened(this.name, 80),
      kind: "across",
      purpose: "What the spec describes; it states no requirements and no stories",
      checkpoint: "What the spec describes can be shown",
      tasks: [test, ...built, ...cases],
    };
  }

  #polish(built: PlannedPhase[]): PlannedPhase {
    const last = ends(built.flatMap(({ tasks }) => tasks));
    const measures = [...this.#make.measures(this.spec.criteria, last), ...this.#make.qualities(this.#qualities, last)];
    const faults =
      this.spec.edgeCases.length > 0
        ? []
        : [
            task({
              title: "Add error handling for invalid input and for what fails outside",
              file: this.#make.file(this.layout.paths.errors, "handling"),
              needs: last,
              acceptance:
                "a test gives each entry point invalid input and a failing dependency, and sees an error that says what to do",
            }),
          ];
    const guide = task({
      title: `Document the use of ${shortened(this.name, 60)}`,
      file: this.layout.paths.docs(fileName(this.name, "feature")),
      parallel: true,
      hours: 2,
      needs: last,
      acceptance: "somebody new gets through the first story with it alone",
    });
    const all = task({
      title: "Run all integration tests and acceptance scenarios on a clean checkout",
      hours: 2,
      needs: [...measures, ...faults, guide],
      acceptance: "every scenario of the spec passes, and what plan.md promises under Constitution Check holds",
    });
    return {
      title: "Polish & Cross-Cutting Concerns",
      kind: "polish",
      purpose: "What concerns several stories, and the proof that the spec is met",
      checkpoint: "The feature can be released",
      tasks: [...measures, ...faults, guide, all],
    };
  }
}
