import type { Section } from "./markdown.ts";

/** What a statement of a spec is there for. It follows from the heading that it stands under. */
export type Role =
  | "overview"
  | "stories"
  | "story"
  | "scenarios"
  | "edgeCases"
  | "requirements"
  | "entities"
  | "criteria"
  | "assumptions"
  | "outOfScope"
  | "clarifications"
  | "openQuestions"
  | "rationale"
  | "test"
  | "other"
  /** Instructions of a template, checklists, references: nobody's requirements. */
  | "aside";

/** The first that fits the title counts. */
const titles: readonly (readonly [Role, RegExp])[] = [
  [
    "aside",
    /\b(?:checklist|execution (?:flow|status)|quick guidelines|references?|change ?log|revision history|appendix)\b/,
  ],
  ["aside", /\b(?:see also|related (?:documents|links)|table of contents|sign-?off|approvals?|glossary of changes)$/],
  ["clarifications", /^clarifications?\b|\bresolved questions\b|^session \d{4}-\d\d-\d\d/],
  [
    "outOfScope",
    /\bout[- ]of[- ]scope\b|\bnon-?goals?\b|\bnot in scope\b|\bexclu(?:ded|sions)\b|\bnot (?:included|doing)\b|\bwon'?t have\b|\bfuture (?:work|enhancements|considerations)\b/,
  ],
  [
    "openQuestions",
    /\bopen (?:questions|issues|points|items)\b|\bunresolved\b|\bquestions\b|\bto be (?:decided|determined|clarified)\b/,
  ],
  [
    "story",
    /^(?:\[?p\d\]?[ :.-]+)?(?:primary )?(?:user )?(?:story|journey)\b|^us-?\d+\b|^\[us-?\d+\]|^(?:use case|uc-?)\s*\d+\b/,
  ],
  ["stories", /\buser (?:scenarios|stories|journeys|flows)\b|^(?:stories|use cases|scenarios|user needs|personas)\b/],
  ["scenarios", /\bacceptance\b|^scenarios?\b|\bgiven\b.*\bwhen\b/],
  [
    "edgeCases",
    /\b(?:edge|corner|error|failure|exception(?:al)?|boundary) (?:cases?|scenarios?|handling|conditions?|modes?|states?)\b|^(?:errors?|exceptions?|failures?|edge cases)(?: (?:and|&) (?:errors?|exceptions?|failures?|edge cases|limits))?$|\bwhat (?:can|could|might) go wrong\b/,
  ],
  [
    "entities",
    /\b(?:entit(?:y|ies)|data model|domain model|data (?:objects|structures?|entities))\b|^(?:glossary|terminology|terms|definitions)\b/,
  ],
  [
    "criteria",
    /\bsuccess (?:criteria|metrics|measures)\b|\bmeasurable outcomes?\b|\b(?:kpis?|key results|metrics|definition of done|exit criteria|success)$|\bsuccess\b.{0,20}\bmeasured\b|\bmeasures? of success\b|\bhow (?:we|it|this)\b.{0,20}\bmeasure/,
  ],
  ["assumptions", /\bassum(?:ptions?|ed)\b|\bdependenc(?:y|ies)\b|\bpreconditions?\b|\bprerequisites?\b/],
  ["rationale", /\bwhy this priority\b|^(?:why|rationale|reason(?:ing)?|motivation|justification)\b/],
  ["test", /\bindependent(?:ly)? test(?:able)?\b|^tests?\b|^how to test\b/],
  [
    "requirements",
    /\brequirements?\b|\b(?:functional|non-?functional|features?|capabilit(?:y|ies)|constraints?|rules|functionality|behaviou?r|scope|must have|should have|could have|performance|security|privacy|accessibility|reliability|scalability|compliance|quality attributes|permissions|notifications)$|^(?:the )?(?:system|app|application|service) (?:must|shall|should|will)\b/,
  ],
  [
    "overview",
    /\b(?:overview|summary|introduction|background|context|purpose|description|goals?|objectives?|problem|vision|about|feature specification|specification|spec|prd)\b/,
  ],
];

/** Titles such as "1.2 Requirements *(mandatory)* 🎯" read as "requirements". */
function bareTitle(title: string): string {
  return title
    .toLowerCase()
    .replace(/[*_`]/g, "")
    .replace(/\((?:mandatory|optional|include[^)]*|if [^)]*|required)\)/g, "")
    .replace(/^[^\p{L}\p{N}[]+/u, "")
    .replace(/^(?:section\s+)?\d+(?:\.\d+)*[.):]?\s+/, "")
    .replace(/[^\p{L}\p{N}\])]+$/u, "")
    .trim();
}

export function roleOfTitle(title: string): Role | undefined {
  const bare = bareTitle(title);
  return titles.find(([, pattern]) => pattern.test(bare))?.[0];
}

/** The role of each section: its own, else the one of the section around it. */
export function rolesOf(sections: readonly Section[]): Map<Section, Role> {
  const roles = new Map<Section, Role>();
  const title = titleSection(sections);
  for (const section of sections) {
    const above = section.parent && section.parent !== title ? roles.get(section.parent) : undefined;
    roles.set(section, section === title || section.level === 0 ? "overview" : roleWithin(above, section));
  }
  return roles;
}

/** The heading that names the document, whatever words it has: the only one of the first level, or one that says so. */
export function titleSection(sections: readonly Section[]): Section | undefined {
  const [first, ...others] = sections.filter((section) => section.level > 0 && section.level < 7);
  if (first?.level !== 1) return undefined;
  const named = /^(?:feature|spec|specification|prd|product requirements|rfc)\b/i.test(first.title);
  return named || others.every((section) => section.level > 1) ? first : undefined;
}

function roleWithin(above: Role | undefined, section: Section): Role {
  const own = roleOfTitle(section.title);
  if (above === "aside" || above === "clarifications") return above;
  if (above === "story" && (own === "overview" || own === "requirements" || own === "stories")) return above;
  if (above === "edgeCases" || above === "outOfScope" || above === "criteria") return above;
  if (own) return own;
  if (above === "stories" && section.level < 7) return "story";
  return above === undefined || above === "openQuestions" ? "other" : above;
}
