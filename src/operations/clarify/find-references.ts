import type { SpecDocument, Story } from "../spec-document.ts";
import { idsIn, leadingId } from "../spec-document-ids.ts";
import { type Finding, placeAt, placeIn, SECTION, weightOf } from "./finding.ts";

/** Ids that two statements have, ids that nothing has, and priorities that disagree. */
export function findReferences(spec: SpecDocument): Finding[] {
  return [...doubled(spec), ...dangling(spec), ...priorities(spec)];
}

function doubled(spec: SpecDocument): Finding[] {
  const first = new Map<string, number>();
  const stories = spec.stories.filter((story) => /\d/.test(spec.lines[story.line - 1] ?? ""));
  return [...spec.requirements, ...spec.criteria, ...stories].flatMap((one) => {
    if ("given" in one && !one.given) return [];
    const before = first.get(one.id);
    if (before === undefined || before === one.line) {
      first.set(one.id, one.line);
      return [];
    }
    const finding: Finding = {
      kind: "contradictory",
      message: `${one.id} names two things: line ${before} and line ${one.line}.`,
      place: placeAt(one.line, spec.lines[one.line - 1] ?? ""),
      weight: SECTION - 1,
      topic: `doubled-${one.id}`,
      words: one.id,
      owner: one.id,
      other: placeAt(before, spec.lines[before - 1] ?? ""),
    };
    return [finding];
  });
}

function dangling(spec: SpecDocument): Finding[] {
  const known = new Set([...spec.requirements, ...spec.criteria].filter((one) => one.given).map((one) => one.id));
  const leading = new Set(spec.statements.map((one) => leadingId(one.block.text)?.id).filter((id) => id !== undefined));
  const prefixes = new Set([...known].map(prefixOf));
  const told = new Set<string>();
  return spec.statements.flatMap(({ block, role, owner }) => {
    if (role === "aside" || role === "clarifications") return [];
    return idsIn(block.text).flatMap(({ id, at }) => {
      if (known.has(id) || leading.has(id) || !prefixes.has(prefixOf(id)) || told.has(id)) return [];
      told.add(id);
      const finding: Finding = {
        kind: "missing",
        message: `${id} is referred to and nowhere defined.`,
        place: placeIn(block, at, id.length),
        weight: SECTION - 2,
        topic: `dangling-${id}`,
        words: id,
        owner,
      };
      return [finding];
    });
  });
}

const prefixOf = (id: string): string => id.replace(/\d+$/, "");

/** A story that comes early and needs one that comes late. */
function priorities(spec: SpecDocument): Finding[] {
  const byNumber = new Map(spec.stories.map((story) => [story.id, story]));
  return spec.statements.flatMap((statement) => {
    const story = byNumber.get(statement.owner ?? "");
    const needed =
      /\b(?:depends on|requires|builds on|needs|only after|blocked by)\s+(?:user )?(?:story|us)[\s-]?(\d+)/i.exec(
        statement.text,
      )?.[1];
    const other = needed ? byNumber.get(`US${needed}`) : undefined;
    if (!story || !other || other === story || !(rank(other) > rank(story))) return [];
    const finding: Finding = {
      kind: "contradictory",
      message: `User Story ${story.id.slice(2)} is ${story.priority} and needs User Story ${needed}, which is only ${other.priority}.`,
      place: placeAt(statement.line, statement.text),
      weight: weightOf("use", "torn"),
      topic: `order-${story.id}-${other.id}`,
      owner: story.id,
      other: placeAt(other.line, other.title),
      values: [story.priority ?? "", other.priority ?? ""],
    };
    return [finding];
  });
}

const rank = (story: Story): number => Number(/^P(\d)$/.exec(story.priority ?? "")?.[1] ?? Number.NaN);
