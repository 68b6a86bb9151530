import { type Block, lineAt, plain, type Section } from "./markdown.ts";
import type { MarkdownLine } from "./markdown-lines.ts";
import { sentencesIn } from "./markdown-sentences.ts";
import type { Criterion, Item, Requirement, SpecDocument, Statement, Story } from "./spec-document.ts";
import { clarifiedIn } from "./spec-document-clarified.ts";
import { type IdKind, kindOfId, leadingId } from "./spec-document-ids.ts";
import { type Role, roleOfTitle } from "./spec-document-roles.ts";
import {
  AS_A,
  addScenario,
  isScenario,
  priorityIn,
  storyFromHeading,
  storyFromSentence,
  storyNumber,
} from "./spec-document-stories.ts";

export interface Reading {
  lines: MarkdownLine[];
  blocks: Block[];
  title?: Section;
  roleOf(section: Section): Role;
}

export type Parts = Omit<SpecDocument, "title" | "lines" | "sections" | "marks">;

const ROLE_OF_ID: Record<Exclude<IdKind, "other" | "story">, Role> = {
  requirement: "requirements",
  criterion: "criteria",
  edgeCase: "edgeCases",
  assumption: "assumptions",
  entity: "entities",
};

const META =
  /^(?:feature(?: branch| id| name)?|branch|created|date|status|input|author|owner|version|last updated|updated|reviewers?|ticket|epic|stakeholders?|target release|labels?|tags?|prerequisites)$/i;
const LABEL = /^\*\*([^*]{1,60}?):?\*\*\s*:?\s*|^([\p{L}][\p{L} ]{1,30}):\s+/u;
/** Struck out from its first word to its last. */
const WITHDRAWN = /^(?:\*\*[^*]{1,60}\*\*:?\s*)?~~[^~]{1,4000}~~\s*(?:\([^()]{0,600}\))?\W*$/;
const MODAL =
  /\b(?:must|shall|should|will|needs? to|has to|have to|can|may|cannot|is able to|allows?|lets?|supports?|provides?)\b/i;

export function readParts(reading: Reading): Parts {
  const reader = new PartsReader(reading);
  for (const block of reading.blocks) reader.add(block);
  reader.addFencedScenarios();
  if (reader.parts.requirements.length === 0) reader.takeRequirementsFromProse();
  reader.parts.clarifications = clarifiedIn(reader.parts.statements);
  return reader.parts;
}

class PartsReader {
  readonly parts: Parts = {
    stories: [],
    requirements: [],
    criteria: [],
    scenarios: [],
    edgeCases: [],
    entities: [],
    assumptions: [],
    outOfScope: [],
    clarifications: [],
    statements: [],
  };
  readonly #reading: Reading;
  readonly #owners = new Map<Block | Section, string>();
  readonly #stories = new Map<Section, Story>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  add(block: Block): void {
    if (block.kind === "row" && !block.header) return; // names the columns
    const role = this.#roleOf(block);
    const statement: Statement = { text: plain(block.text), line: block.line, role, block };
    this.parts.statements.push(statement);
    if (block.kind === "heading") this.#heading(statement);
    else if (role !== "aside" && role !== "clarifications") this.#words(statement);
    statement.owner ??= this.#ownerOf(block);
    if (statement.owner) this.#owners.set(block, statement.owner);
  }

  /** The role of its section, unless a label at its start says otherwise. */
  #roleOf(block: Block): Role {
    const role = this.#reading.roleOf(block.section);
    if (block.kind === "heading" || role === "aside" || role === "clarifications") return role;
    if (WITHDRAWN.test(block.text)) return "aside";
    const label = LABEL.exec(block.text);
    const name = (label?.[1] ?? label?.[2])?.trim();
    if (!name) return role;
    if (META.test(name) && (role === "overview" || role === "other")) return "aside";
    const own = roleOfTitle(name);
    if (own === "rationale" || own === "test" || own === "edgeCases" || own === "outOfScope") return own;
    if (own === "scenarios" && role === "story") return own;
    return role;
  }

  #heading(statement: Statement): void {
    const { section } = statement.block;
    if (section === this.#reading.title) return;
    const found = leadingId(section.title);
    const kind = found && kindOfId(found.id);
    const under = section.parent ? this.#reading.roleOf(section.parent) : undefined;
    if (statement.role === "story" && under !== "story") this.#storyHeading(statement);
    else if (found && (kind === "requirement" || kind === "criterion")) {
      statement.owner = found.id;
      this.#identified(kind, { text: plain(found.rest), line: statement.line }, found.id);
      this.#owners.set(section, found.id);
    } else if (statement.role === "entities" && under === "entities" && section.level < 7) {
      this.parts.entities.push({ text: section.title, line: statement.line });
    }
  }

  #storyHeading(statement: Statement): void {
    const { section } = statement.block;
    const story = storyFromHeading(statement.block, `US${storyNumber(section.title) ?? this.parts.stories.length + 1}`);
    this.parts.stories.push(story);
    this.#stories.set(section, story);
    this.#owners.set(section, story.id);
    statement.owner = story.id;
  }

  #words(statement: Statement): void {
    const { block } = statement;
    const story = this.#storyOf(block.section);
    const found = this.#idOf(block);
    const kind = found && this.#kindOf(found.id, statement.role);
    if (found && kind && kind !== "other" && kind !== "story" && statement.role !== "outOfScope") {
      statement.owner = found.id;
      if (!story) statement.role = ROLE_OF_ID[kind];
      this.#identified(kind, { text: plain(found.rest), line: block.line }, found.id);
    } else if (story) this.#inStory(story, statement);
    else if (AS_A.test(statement.text) && statement.role !== "requirements") this.#sentenceStory(statement, found?.id);
    else this.#byRole(statement);
  }

  /** What the usual prefixes name is clear; others are what the section is about. */
  #kindOf(id: string, role: Role): IdKind {
    const kind = kindOfId(id);
    const usual = kind !== "requirement" || /^(?:N?FR|REQ|R|[BUSTPDI]R)\b/.test(id.replace(/[-_.]?\d.*$/, ""));
    const byRole = Object.entries(ROLE_OF_ID).find(([, own]) => own === role)?.[0] as IdKind | undefined;
    return usual ? kind : (byRole ?? kind);
  }

  #idOf(block: Block): { id: string; rest: string } | undefined {
    if (!block.cells) return leadingId(block.text);
    const at = block.cells.findIndex((cell) => leadingId(`${cell}:`) && !/^P\d$/.test(plain(cell)));
    const found = at < 0 ? undefined : leadingId(`${block.cells[at]}:`);
    return found && { id: found.id, rest: rowText(block, at) || found.rest };
  }

  #identified(kind: IdKind, item: Item, id: string): void {
    const { requirements, criteria, edgeCases, assumptions, entities } = this.parts;
    if (kind === "requirement") requirements.push({ ...item, id, given: true });
    else if (kind === "criterion") criteria.push({ ...item, id, given: true });
    else if (kind === "edgeCase") edgeCases.push(item);
    else if (kind === "assumption") assumptions.push(item);
    else entities.push(item);
  }

  #storyOf(section: Section): Story | undefined {
    for (let at: Section | undefined = section; at; at = at.parent) {
      const story = this.#stories.get(at);
      if (story) return story;
    }
    const { stories } = this.parts;
    const loose = this.#reading.roleOf(section) === "scenarios" && stories.length === 1;
    return loose ? stories[0] : undefined;
  }

  #inStory(story: Story, statement: Statement): void {
    const { block, role, text } = statement;
    statement.owner = story.id;
    if (role === "test") story.independentTest ??= { text: text.replace(LABEL, ""), line: block.line };
    else if (role === "edgeCases") this.parts.edgeCases.push({ text, line: block.line });
    else if (role === "scenarios" || isScenario(text)) this.#scenario(story, statement);
    else if (role !== "rationale") {
      if (/^\W*priority\b/i.test(text)) story.priority ??= priorityIn(text);
      else if (block.kind === "paragraph" || AS_A.test(text)) story.text = story.text ? `${story.text} ${text}` : text;
    }
  }

  #scenario(story: Story | undefined, statement: Statement): void {
    statement.role = "scenarios";
    const added = addScenario(story?.scenarios ?? this.parts.scenarios, statement.block);
    if (added && story) this.parts.scenarios.push(added);
  }

  #sentenceStory(statement: Statement, given: string | undefined): void {
    const number = /\d+/.exec(given ?? "")?.[0] ?? storyNumber(statement.text) ?? this.parts.stories.length + 1;
    const story = storyFromSentence(statement.block, `US${Number(number)}`);
    this.parts.stories.push(story);
    statement.role = "story";
    statement.owner = story.id;
  }

  #byRole(statement: Statement): void {
    const { block, role, text } = statement;
    const nested = block.parent !== undefined;
    const listed = block.kind !== "paragraph";
    const item = { text: block.cells ? rowText(block) : text, line: block.line };
    const nestedStory =
      nested && block.parent ? this.parts.stories.find((s) => s.line === block.parent?.line) : undefined;
    if (nestedStory) this.#underSentence(nestedStory, statement);
    else if (role === "scenarios" && listed && !nested && isMeasured(text)) {
      statement.role = "criteria";
      this.#criterion(statement, item, listed);
    } else if (role === "scenarios") this.#scenario(undefined, statement);
    else if ((role === "stories" || role === "other" || role === "overview") && isScenario(text)) {
      this.#scenario(this.parts.stories.at(-1), statement);
    } else if (nested) return;
    else if (role === "requirements") this.#requirement(statement, item, listed);
    else if (role === "criteria") this.#criterion(statement, item, listed);
    else if (role === "edgeCases") this.parts.edgeCases.push(item);
    else if (role === "entities" && listed) this.parts.entities.push(item);
    else if (role === "assumptions") this.parts.assumptions.push(item);
    else if (role === "outOfScope") this.parts.outOfScope.push(item);
  }

  /** What is indented under "As a guest, I want …" are its acceptance criteria. */
  #underSentence(story: Story, statement: Statement): void {
    statement.owner = story.id;
    story.end = statement.block.end;
    if (/^\W*priority\b/i.test(statement.text)) story.priority ??= priorityIn(statement.text);
    else if (statement.role !== "rationale" && statement.role !== "test") {
      statement.role = "scenarios";
      const item = { text: statement.text, line: statement.line };
      story.scenarios.push(item);
      this.parts.scenarios.push(item);
    }
  }

  #requirement(statement: Statement, item: Item, listed: boolean): void {
    const owner = this.#ownerOf(statement.block);
    if (owner || (!listed && !MODAL.test(item.text))) return; // goes on with the one above, or leads in
    if (!listed && /:$/.test(item.text)) return;
    const requirement: Requirement = { ...item, id: `R${this.parts.requirements.length + 1}`, given: false };
    this.parts.requirements.push(requirement);
    statement.owner = requirement.id;
  }

  #criterion(statement: Statement, item: Item, listed: boolean): void {
    if (!listed && /:$/.test(item.text)) return;
    const criterion: Criterion = { ...item, id: `C${this.parts.criteria.length + 1}`, given: false };
    this.parts.criteria.push(criterion);
    statement.owner = criterion.id;
  }

  #ownerOf(block: Block): string | undefined {
    if (block.parent) return this.#owners.get(block.parent);
    for (let at: Section | undefined = block.section; at; at = at.parent) {
      const owner = this.#owners.get(at);
      if (owner) return owner;
    }
    return undefined;
  }

  /** Gherkin stands in code fences, which hold nobody's words otherwise. */
  addFencedScenarios(): void {
    let named = false;
    for (const line of this.#reading.lines) {
      if (line.kind !== "code") named = false;
      else if (/^\s*(?:Scenario(?: Outline)?|Example):/.test(line.raw)) {
        named = true;
        this.#fenced(line);
      } else if (!named && /^\s*Given\s/.test(line.raw)) this.#fenced(line);
    }
  }

  #fenced(line: MarkdownLine): void {
    const item = { text: line.raw.trim(), line: line.number };
    const story = this.parts.stories.find((one) => one.line <= line.number && line.number <= one.end);
    story?.scenarios.push(item);
    this.parts.scenarios.push(item);
  }

  /** A text without a list of requirements still says what must be. */
  takeRequirementsFromProse(): void {
    for (const statement of this.parts.statements) {
      const { role, block } = statement;
      if (block.kind === "heading" || (role !== "overview" && role !== "other" && role !== "stories")) continue;
      for (const sentence of sentencesIn(block.text)) {
        if (!MODAL.test(sentence.text) || /\?$/.test(sentence.text)) continue;
        const line = lineAt(block, sentence.at);
        const id = `R${this.parts.requirements.length + 1}`;
        this.parts.requirements.push({ id, given: false, text: plain(sentence.text), line });
        statement.owner ??= id;
      }
    }
  }
}

/** Under "Acceptance" of the whole: what is to be seen, and no step of a scenario. */
function isMeasured(text: string): boolean {
  return !/\b(?:given|when|then|if)\b/i.test(text) && !/^\W{0,4}(?:and|but)\b/i.test(text);
}

/** A row without the cell at `but` and without cells that are only a priority or a status. */
function rowText(block: Block, but = -1): string {
  const cells = (block.cells ?? []).filter(
    (cell, at) =>
      at !== but &&
      cell &&
      !/^\W*(?:P\d|high|medium|low|must|should|could|won't|draft|done|todo|yes|no|\d+)\W*$/i.test(cell),
  );
  return plain(cells.join(": "));
}
