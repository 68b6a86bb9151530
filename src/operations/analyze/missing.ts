import type { Item, SpecDocument } from "../spec-document.ts";
import type { Task } from "../task-document.ts";
import type { MissingTask } from "./analysis.ts";
import { referenceKey } from "./coverage.ts";
import { listed, placeIn, shortened } from "./place.ts";
import { builds, isTest, refuses, speaksOfErrors } from "./task-kinds.ts";

/** Something that a feature needs a task for once its spec speaks of it. */
interface Need {
  kind: string;
  title: string;
  /** The spec speaks of it in these words … */
  spoken: RegExp;
  /** … and a task in these. */
  task: RegExp;
  /** What it comes after: everything that is built, or what sets up. */
  after: "built" | "start";
}

const NEEDS: readonly Need[] = [
  {
    kind: "security",
    title: "Security: access control and protection of data",
    spoken:
      /\b(?:authenticat\w*|authori[sz]\w*|passwords?|encrypt\w*|permissions?|access control|personal data|pii|gdpr|hipaa|secrets?|credentials?|oauth|sso|csrf|xss|sql injection|rate[- ]limit\w*|tokens?)\b/i,
    task: /\b(?:security|secure\w*|auth\w*|oauth|sso|log-?ins?|sign[- ]?ins?|passwords?|encrypt\w*|hash(?:ed|ing)?|permissions?|access[- ]control|rbac|roles?|gdpr|privacy|csrf|xss|saniti[sz]\w*|rate[- ]limit\w*|tokens?|jwt|sessions?|credentials?|secrets?|hardening|guards?)\b/i,
    after: "built",
  },
  {
    kind: "migration",
    title: "Migration of the data that there is",
    spoken:
      /\b(?:migrat\w*|existing (?:data|records|users|accounts|customers|entries|rows|orders)|legacy (?:data|system|records)|backwards?[- ]compatib\w*|data import|upgrade path|backfill\w*)\b/i,
    task: /\b(?:migrat\w*|backfill\w*|import (?:of )?(?:the )?(?:existing|old|legacy|data)\b|legacy|compatib\w*|schema|upgrade\w*|convert\w*)\b/i,
    after: "start",
  },
  {
    kind: "performance",
    title: "Performance test against the numbers of the spec",
    spoken:
      /\b\d+(?:[.,]\d+)?\s?(?:ms|milliseconds?|seconds?|s|requests?|rps|qps|req\/s|concurrent|simultaneous)\b|\bconcurrent users\b|\bthroughput\b|\blatency\b|\bp9[059]\b/i,
    task: /\b(?:performance|load|stress|benchmark\w*|latency|throughput|profil\w*|optimi[sz]\w*|scal\w*|concurren\w*|speed|response times?|ms|p9[059]|measure\w*)\b/i,
    after: "built",
  },
  {
    kind: "accessibility",
    title: "Accessibility check",
    spoken:
      /\b(?:wcag|accessib(?:le|ility) (?:to|for|standards?|guidelines|compliance)|accessibility|screen readers?|a11y|keyboard navigation)\b/i,
    task: /\b(?:wcag|accessib\w*|a11y|screen readers?|keyboard|aria|axe|contrast)\b/i,
    after: "built",
  },
  {
    kind: "audit log",
    title: "Logging and audit trail",
    spoken:
      /\b(?:audit(?: log| trail|able|ed)?|(?:must|shall|should) (?:log|record|monitor)|logged|monitoring|observab\w*|alerting)\b/i,
    task: /\b(?:audit\w*|log(?:s|ged|ging|ger)?|monitor\w*|observab\w*|metrics?|tracing|telemetry|alert\w*|histor(?:y|ies)|record\w*)\b/i,
    after: "built",
  },
  {
    kind: "documentation",
    title: "Documentation",
    spoken:
      /\b(?:documentation|documented|user guide|help (?:pages?|text|center|section)|api docs?|read ?me|tutorials?|onboarding guide)\b/i,
    task: /\b(?:docs?|document\w*|readme|guides?|help|quickstart|tutorials?|openapi|changelog)\b/i,
    after: "built",
  },
];

/** Fewer tasks than these are a note to oneself, not a breakdown. */
const BREAKDOWN = 3;

/** Tasks that a careful reader would miss: handling of errors, tests, and what the spec speaks of and no task does. */
export function missingTasks(
  tasks: Task[],
  spec: SpecDocument | undefined,
  taskLines: readonly string[],
): MissingTask[] {
  const built = tasks.filter(builds);
  if (tasks.length === 0) return [];
  const ends = endsOf(built);
  const wholeList = placeIn("task", taskLines, tasks[0]?.line ?? 1);
  const found: MissingTask[] = [];
  const handles = spec && spec.edgeCases.length > 0 ? speaksOfErrors : refuses;
  if (built.length >= BREAKDOWN && !tasks.some(handles)) found.push(errors(spec, ends, taskLines, wholeList));
  if (built.length >= BREAKDOWN) found.push(...tests(tasks, spec, ends, wholeList, taskLines));
  const named = new Set(tasks.flatMap(({ serves }) => serves.map(referenceKey)));
  const said = spec ? saidIn(spec).filter(({ id }) => !id || !named.has(referenceKey(id))) : [];
  for (const need of spec ? NEEDS : []) {
    const place = spec && spokenIn(spec, said, need.spoken, tasks);
    if (!place || tasks.some((task) => isAbout(task, need.task))) continue;
    const dependsOn = need.after === "built" ? ends : startOf(tasks);
    const why = `the spec speaks of it (line ${place.line}: “${shortened(place.quote, 60)}”) and no task does`;
    found.push({ kind: need.kind, title: need.title, why, dependsOn, place });
  }
  return found;
}

/** By its title, or by two words of its description: one may stand there by chance. */
function isAbout({ title, words }: Task, pattern: RegExp): boolean {
  if (pattern.test(title)) return true;
  if (!pattern.test(words)) return false;
  const found = words.match(new RegExp(pattern, "gi")) ?? [];
  return new Set(found.map((word) => word.toLowerCase())).size >= 2;
}

const TESTING =
  /\b(?:unit|integration|e2e|end-to-end|contract|acceptance|automated|regression|smoke|load|browser|ui|api|system|component|property|snapshot|fuzz|a)[- ]tests?\b|\bin (?:the |their |its )?tests?\b|\btest-?driven\b|\btests? (?:pass|suite|cover|for|of)\w*\b|\b(?:write|add|run|all|existing|new) tests\b|\bpytest\b|\bnpm (?:run )?test\b|\bcargo test\b/i;

/** Who sets up what tests run with has not written one. */
const PREPARES = /^(?:configure|set[- ]?up|install|initiali[sz]e|add) /i;

function errors(
  spec: SpecDocument | undefined,
  ends: string[],
  lines: readonly string[],
  whole: MissingTask["place"],
): MissingTask {
  const edge = spec?.edgeCases[0];
  const place = edge && spec ? placeIn("spec", spec.lines, edge.line) : whole;
  const cases = spec?.edgeCases.length ?? 0;
  const why =
    cases > 0
      ? `the spec has ${cases === 1 ? "an edge case" : `${cases} edge cases`} and no task speaks of errors`
      : "no task speaks of errors, failures or invalid input";
  return {
    kind: "error handling",
    title: "Error handling and recovery",
    why,
    dependsOn: lines.length > 0 ? ends : [],
    place,
  };
}

function tests(
  tasks: Task[],
  spec: SpecDocument | undefined,
  ends: string[],
  whole: MissingTask["place"],
  lines: readonly string[],
): MissingTask[] {
  if (lines.some((line) => /definition of done/i.test(line) && /\btests?\b/i.test(line))) return [];
  const testing = tasks.filter((task) => !PREPARES.test(task.title) && (isTest(task) || TESTING.test(task.words)));
  if (testing.length === 0) {
    return [
      {
        kind: "tests",
        title: "Tests of what is built, with an integration test",
        why: "no task speaks of tests",
        dependsOn: ends,
        place: whole,
      },
    ];
  }
  const story = spec?.stories[0];
  const wide = testing.some(({ words }) =>
    /\b(?:integration|end[- ]to[- ]end|e2e|acceptance|contract|scenario|smoke|journey|independent test|uat|system tests?|browser|manual(?:ly)?)\b/i.test(
      words,
    ),
  );
  if (wide || !story || !spec) return [];
  const why = `there are only tests of parts (${listed(
    testing.map(({ id }) => id),
    4,
  )}), none of a story from end to end`;
  return [
    {
      kind: "end-to-end testing",
      title: "Integration test of each user story",
      why,
      dependsOn: ends,
      place: placeIn("spec", spec.lines, story.line),
    },
  ];
}

/** The tasks that build and that nothing built comes after: who needs these needs all. */
function endsOf(built: Task[]): string[] {
  const needed = new Set(built.flatMap(({ dependsOn }) => dependsOn));
  return built.flatMap(({ id }) => (needed.has(id) ? [] : [id]));
}

const startOf = (tasks: Task[]) =>
  tasks
    .filter(({ dependsOn }) => dependsOn.length === 0)
    .slice(0, 3)
    .map(({ id }) => id);

const LEFT_OUT = /\bout of scope\b|\bnot (?:required|needed|part)\b/i;

interface Said extends Item {
  id?: string;
}

/** What the spec asks for, in a requirement, a criterion, an edge case or a scenario. */
const saidIn = (spec: SpecDocument): Said[] =>
  [...spec.requirements, ...spec.criteria, ...spec.edgeCases, ...spec.scenarios].sort((a, b) => a.line - b.line);

/** Where the spec asks for something that no task has in its words: not what it leaves out. */
function spokenIn(
  spec: SpecDocument,
  said: readonly Said[],
  words: RegExp,
  tasks: readonly Task[],
): MissingTask["place"] | undefined {
  const found = said.find(({ text }) => {
    const [match = ""] = words.exec(text) ?? [];
    if (match === "" || LEFT_OUT.test(text)) return false;
    if (/\b(?:without|no|not)\s+(?:an?\s+|any\s+)?$/i.test(text.slice(0, text.indexOf(match)))) return false;
    return !/^\d/.test(match) || !tasks.some((task) => task.words.includes(match));
  });
  return found && placeIn("spec", spec.lines, found.line);
}
