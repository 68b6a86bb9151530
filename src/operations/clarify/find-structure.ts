import type { Role, SpecDocument, Story } from "../spec-document.ts";
import { type Finding, hasOwnRequirements, isBinding, placeAt, SECTION, weightOf } from "./finding.ts";

const missing = (
  topic: string,
  line: number,
  quote: string,
  weight: number,
  message: string,
  owner?: string,
): Finding => ({
  kind: "missing",
  message,
  place: placeAt(line, quote),
  weight,
  topic,
  owner,
});

/** Whether the text wants something built at all: one demand is enough, what "can" be done is also told of things that exist. */
function readsLikeSpec(spec: SpecDocument): boolean {
  const told: readonly Role[] = ["requirements", "criteria", "scenarios"];
  const named = spec.statements.some((one) => told.includes(one.role));
  const wanted = spec.requirements.filter(({ text }) => ABOUT_SYSTEM.test(text));
  const demanded = wanted.some(({ text }) => /\b(?:must|shall|should|needs? to|has to|have to)\b/i.test(text));
  return named || spec.stories.length > 0 || spec.marks.length > 0 || demanded || wanted.length >= 3;
}

const ABOUT_SYSTEM =
  /\b(?:system|app|application|users?|admins?|customers?|service|site|website|pages?|api|platform|product|software|client|server|visitors?|guests?|dashboard|button|features?|employees?|members?|people|managers?|links?|alerts?|screen|form)\b[\s\S]{0,80}\b(?:must|shall|should|needs? to|has to|have to|will|can|may)\b/i;

/** What a spec needs to be built from, and does not have. */
export function findStructure(spec: SpecDocument): Finding[] {
  return [
    ...storyFindings(spec),
    ...withoutRequirements(spec),
    ...withoutStories(spec),
    ...withoutCriteria(spec),
    ...withoutEdgeCases(spec),
    ...emptySections(spec),
  ];
}

function storyFindings(spec: SpecDocument): Finding[] {
  const shared = spec.scenarios.length - spec.stories.reduce((sum, story) => sum + story.scenarios.length, 0);
  const ranked = spec.stories.some((story) => story.priority);
  return spec.stories
    .filter(({ text }) => !/\bleft out of this version\b/i.test(text))
    .flatMap((story) => [
      ...(story.scenarios.length === 0 && shared < spec.stories.length ? [withoutScenario(story)] : []),
      ...(!story.priority && ranked ? [withoutPriority(story)] : []),
    ])
    .concat(ranked || spec.stories.length < 3 ? [] : [withoutPriorities(spec.stories)]);
}

function withoutScenario(story: Story): Finding {
  const message = `User Story ${story.id.slice(2)} "${story.title}" has no acceptance scenario: nothing says when it is done.`;
  return missing(`scenario-${story.id}`, story.line, story.title, SECTION, message, story.id);
}

function withoutPriorities(stories: readonly Story[]): Finding {
  const [first] = stories;
  const message = `None of the ${stories.length} user stories has a priority: nothing says what is built first.`;
  return missing("ranking", first?.line ?? 1, first?.title ?? "", weightOf("wording", "open"), message);
}

function withoutPriority(story: Story): Finding {
  const message = `User Story ${story.id.slice(2)} "${story.title}" has no priority, and others have.`;
  return missing(`priority-${story.id}`, story.line, story.title, weightOf("use", "likely"), message, story.id);
}

function headingOf(spec: SpecDocument, role: string): { line: number; quote: string } {
  const heading = spec.statements.find((one) => one.role === role && one.block.kind === "heading");
  return { line: heading?.line ?? 1, quote: heading?.text ?? firstWords(spec) };
}

function firstWords(spec: SpecDocument): string {
  return spec.title || (spec.lines.find((line) => line.trim()) ?? "").trim();
}

function withoutRequirements(spec: SpecDocument): Finding[] {
  if (spec.requirements.length > 0) return [];
  const { line, quote } = headingOf(spec, "requirements");
  const message = "There is no functional requirement: nothing says what the system must do.";
  return [missing("requirements", line, quote, weightOf("scope", "torn"), message)];
}

function withoutStories(spec: SpecDocument): Finding[] {
  if (spec.stories.length > 0 || spec.scenarios.length > 0) return [];
  const { line, quote } = headingOf(spec, "stories");
  const message =
    "There is no user story and no acceptance scenario: nothing says who does what with it, and when it is accepted.";
  return [missing("stories", line, quote, SECTION, message)];
}

function withoutCriteria(spec: SpecDocument): Finding[] {
  if (spec.criteria.length > 0) return [];
  const { line, quote } = headingOf(spec, "criteria");
  return [
    missing("criteria", line, quote, SECTION, "There are no success criteria: nobody could say whether it succeeded."),
  ];
}

const FAILING =
  /\b(?:fail\w*|errors?|invalid|wrong|incorrect|reject\w*|den(?:y|ies|ied)|declin\w*|unavailable|time(?:s|d)? ?out|expired?|exceed\w*|missing|empty|offline|lost|cannot|refus\w*|duplicate|conflict\w*|too (?:large|long|many|big)|already|no longer|interrupt\w*|no (?:results?|match\w*|internet|connection)|unauthori[sz]ed|forbidden|unknown|blocked)\b/i;

function withoutEdgeCases(spec: SpecDocument): Finding[] {
  if (spec.edgeCases.length > 0) return [];
  const said = spec.statements.filter(
    (one) => isBinding(spec, one) && one.role !== "criteria" && FAILING.test(one.text),
  );
  if (said.length >= (spec.scenarios.length + spec.requirements.length > 12 ? 2 : 1)) return [];
  const { line, quote } = headingOf(spec, "edgeCases");
  const message = "There is no edge case and no error: nothing says what happens when something goes wrong.";
  return [missing("edge-cases", line, quote, SECTION - 1, message)];
}

const EXPECTED: Record<string, string> = {
  assumptions: "assumptions",
  outOfScope: "what is out of scope",
  entities: "key entities",
};

/** A heading with nothing under it was meant to be filled. */
function emptySections(spec: SpecDocument): Finding[] {
  return spec.statements.flatMap(({ block, role, text }, index) => {
    const next = spec.statements[index + 1];
    const what = EXPECTED[role];
    const own = block.kind === "heading" && what !== undefined && block.section.level < 7;
    if (!own || (next && next.block.section === block.section) || (next && next.block.section.parent === block.section))
      return [];
    return [missing(`empty-${role}`, block.line, text, weightOf("wording", "open"), `The section "${text}" is empty.`)];
  });
}

export function findNothing(spec: SpecDocument): Finding[] {
  if (spec.lines.every((line) => !line.trim())) {
    return [missing("empty", 1, "", weightOf("scope", "said"), "The document is empty: there is no spec to clarify.")];
  }
  if (readsLikeSpec(spec) || hasOwnRequirements(spec)) return [];
  const line = spec.lines.findIndex((one) => one.trim()) + 1;
  const message = "This does not read like a spec: it has no user story, no requirement and no success criterion.";
  return [missing("no-spec", line, spec.lines[line - 1] ?? "", weightOf("scope", "said"), message)];
}
