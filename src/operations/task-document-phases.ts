import type { Phase, PhaseKind, Task } from "./task-document.ts";
import type { Heading, Outline } from "./task-document-entries.ts";
import { fieldOf } from "./task-document-fields.ts";
import type { ReadEntry } from "./task-document-tasks.ts";

const PHASE = /^(?:\W*)(?:phase|stage|milestone|sprint|iteration|wave|group|epic|week|part)\b/i;

/** The phases that tasks stand under, in the order of the document; writes into each task which is its. */
export function phasesOf(outline: Outline, records: ReadEntry[]): Phase[] {
  const phases = new Map<string, Phase>();
  const headings = new Map<number, Phase>();
  const numbered = outline.headings.filter(({ title }) => /^\W*phase\s*\d/i.test(title));
  for (const heading of numbered) headings.set(heading.line, phaseOf(heading.title, heading.line));
  const assigned = new Set<Task>();
  for (const { entry, task } of records) {
    if (entry.further) continue;
    const { heading } = entry;
    const own = entry.kind === "heading" ? heading?.parent : heading;
    const above = task.phase ? undefined : phaseHeading(own);
    const title = task.phase ?? above?.title;
    if (title === undefined) continue;
    const phase = (above && headings.get(above.line)) ?? phases.get(title) ?? phaseOf(title, above?.line ?? task.line);
    if (above) headings.set(above.line, phase);
    else phases.set(title, phase);
    if (!assigned.has(task)) assign(task, phase);
    assigned.add(task);
  }
  const all = [...new Set([...headings.values(), ...phases.values()])].sort((a, b) => a.line - b.line);
  readTests(outline, headings);
  return all;
}

function assign(task: Task, phase: Phase): void {
  phase.tasks.push(task.id);
  task.phase = phase.title;
  if (phase.story) task.story ??= phase.story;
  if (task.story && !task.serves.includes(task.story)) task.serves.push(task.story);
}

/** The heading that says "Phase …"; without one, the outermost that is not the document's own title. */
function phaseHeading(heading: Heading | undefined): Heading | undefined {
  let outermost: Heading | undefined;
  for (let above = heading; above; above = above.parent) {
    if (PHASE.test(above.title)) return above;
    if (
      above.level > 1 &&
      !/^(?:tasks?|task (?:list|breakdown)|implementation (?:tasks|plan)|work items)$/i.test(above.title)
    ) {
      outermost = above;
    }
  }
  return outermost;
}

function phaseOf(title: string, line: number): Phase {
  const number = /^\W*(?:phase|stage|milestone|sprint|iteration|wave|group|part)\s*#?(\d{1,3}(?:\.\d{1,2})?)/i.exec(
    title,
  )?.[1];
  const story = /\b(?:user story|story|US)\s*-?\s*(\d{1,3})(?!\s*(?:&|and|,|\+)\s*\d)\b/i.exec(title)?.[1];
  return {
    title,
    line,
    kind: kindOf(title, story),
    number,
    story: story && `US${Number(story)}`,
    tasks: [],
    needs: [],
  };
}

function kindOf(title: string, story: string | undefined): PhaseKind {
  if (story) return "story";
  if (/\b(?:foundation\w*|core (?:setup|infrastructure)|blocking prerequisites|groundwork)\b/i.test(title))
    return "foundation";
  if (/\b(?:set-?up|scaffold\w*|bootstrap\w*|initiali[sz]ation|project structure)\b/i.test(title)) return "setup";
  if (
    /\b(?:polish|cross-cutting|final|finali[sz]ation|hardening|release|documentation|docs|cleanup|deployment|launch|rollout)\b/i.test(
      title,
    )
  )
    return "polish";
  return "other";
}

function readTests({ rest }: Outline, headings: Map<number, Phase>): void {
  for (const { line, heading } of rest) {
    const field = /independent(?:ly)? test|acceptance/i.test(line.text) ? fieldOf(line.text) : undefined;
    const above = field?.name === "acceptance" && field.value ? phaseHeading(heading) : undefined;
    const phase = above && headings.get(above.line);
    if (phase && field) phase.independentTest ??= field.value;
  }
}
