import { stemsIn } from "../clarify/words.ts";
import type { Item, Requirement, SpecDocument, Story } from "../spec-document.ts";

/** What belongs to which story; `shared` is what belongs to several or to none. */
export interface Assignment {
  /** In the order they are built: by priority, then as the spec has them. */
  stories: { story: Story; requirements: Requirement[]; entities: Item[]; edgeCases: Item[] }[];
  shared: { requirements: Requirement[]; entities: Item[]; edgeCases: Item[] };
}

/** How alike a text and a story must be for the text to belong there. */
const ALIKE = 0.12;

export function assignmentOf(spec: SpecDocument, elsewhere: ReadonlySet<Requirement>): Assignment {
  const [stories] = byPriority(spec.stories, spec.stories.length);
  const likeness = new Likeness(stories);
  const texts = stories.map(
    (story) => `${story.title} ${story.text} ${story.scenarios.map(({ text }) => text).join(" ")}`,
  );
  const built = stories.map((story) => ({
    story,
    requirements: [] as Requirement[],
    entities: [] as Item[],
    edgeCases: [] as Item[],
  }));
  const assignment: Assignment = { stories: built, shared: { requirements: [], entities: [], edgeCases: [] } };
  const mentioned = texts.map(idsIn);
  for (const requirement of spec.requirements) {
    if (elsewhere.has(requirement)) continue;
    const own = idsIn(requirement.text);
    const named = stories.findIndex(
      ({ id, line, end }, at) =>
        mentioned[at]?.has(requirement.id) || own.has(id) || (requirement.line > line && requirement.line <= end),
    );
    const at = named >= 0 ? named : isAcross(requirement) ? -1 : likeness.closest(requirement.text);
    (built[at] ?? assignment.shared).requirements.push(requirement);
  }
  for (const edge of spec.edgeCases) (built[likeness.closest(edge.text)] ?? assignment.shared).edgeCases.push(edge);
  const lowered = texts.map((text) => text.toLowerCase());
  for (const entity of spec.entities) {
    const name = entityName(entity.text).toLowerCase();
    const users = lowered.flatMap((text, at) => (text.includes(name) ? [at] : []));
    (users.length === 1 ? (built[users[0] ?? 0] ?? assignment.shared) : assignment.shared).entities.push(entity);
  }
  return assignment;
}

/** The first `most` in the order in which they are built, and the others. */
export function byPriority(stories: readonly Story[], most: number): [Story[], Story[]] {
  const sorted = [...stories].sort((a, b) => rank(a) - rank(b) || a.line - b.line);
  return [sorted.slice(0, most), sorted.slice(most)];
}

/** P1 before P2; words of importance count as such. */
function rank({ priority = "" }: Story): number {
  const number = /\d+/.exec(priority)?.[0];
  if (number) return Number(number);
  if (/critical|must|highest/i.test(priority)) return 1;
  if (/high|should/i.test(priority)) return 2;
  if (/medium|could/i.test(priority)) return 3;
  return /low|won/i.test(priority) ? 4 : 3;
}

const idsIn = (text: string) => new Set(text.match(/[\w-]+(?:\.\d+)*/g) ?? []);

/** What holds for everything is built for everything. */
const isAcross = ({ id, text }: Requirement) =>
  /^NFR/i.test(id) ||
  /\b(?:all (?:requests|data|pages|endpoints|inputs?)|encrypt\w*|at rest|wcag|availability|uptime|gdpr|backups?)\b/i.test(
    text,
  );

/** How much a text has in common with each story: words of few stories and of a title count more than those of all. */
class Likeness {
  readonly #stories: { title: Set<string>; words: Set<string>; numbers: Set<string> }[];
  /** How many stories have a word. */
  readonly #with = new Map<string, number>();

  constructor(stories: Story[]) {
    this.#stories = stories.map(({ title, text, scenarios, independentTest }) => {
      const said = [title, text, independentTest?.text ?? "", ...scenarios.map((one) => one.text)].join(" ");
      return { title: stemsIn(title), words: stemsIn(said), numbers: numbersIn(said) };
    });
    for (const { words } of this.#stories)
      for (const stem of words) this.#with.set(stem, (this.#with.get(stem) ?? 0) + 1);
  }

  closest(text: string): number {
    const [stems, numbers] = [stemsIn(text), numbersIn(text)];
    let [best, at] = [ALIKE * Math.max(1, stems.size), -1];
    for (const [index, story] of this.#stories.entries()) {
      let score = [...numbers].filter((number) => story.numbers.has(number)).length;
      for (const stem of stems)
        if (story.words.has(stem)) score += (story.title.has(stem) ? 2 : 1) / (this.#with.get(stem) ?? 1);
      if (score > best) [best, at] = [score, index];
    }
    return at;
  }
}

const numbersIn = (text: string) => new Set(text.match(/\d+/g) ?? []);

/** "Order" of "Order: number, lines, total". */
export function entityName(text: string): string {
  const [name = ""] = text.split(/\s*(?::|–|—|\(|\s-\s|,|\.|;)\s*/);
  return name.trim();
}
