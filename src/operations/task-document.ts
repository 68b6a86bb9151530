import { chosenEntries, linesOutside } from "./task-document-choice.ts";
import { outlineOf } from "./task-document-entries.ts";
import type { Estimate } from "./task-document-estimate.ts";
import { linksOf } from "./task-document-links.ts";
import { phasesOf } from "./task-document-phases.ts";
import { tasksOf } from "./task-document-tasks.ts";
import { togetherIn } from "./task-document-together.ts";

export interface Task {
  /** As the document has it; `#3` for the third that has none. */
  id: string;
  given: boolean;
  title: string;
  line: number;
  phase?: string;
  /** `US1`. */
  story?: string;
  parallel: boolean;
  done: boolean;
  /** The ids of tasks there are, and as they are written those of tasks there are not. */
  dependsOn: string[];
  estimate?: Estimate;
  acceptance?: string;
  /** Ids of requirements, criteria and stories. */
  serves: string[];
  files: string[];
  /** Its title and all that stands below it, as plain words. */
  words: string;
}

export type PhaseKind = "setup" | "foundation" | "story" | "polish" | "other";

export interface Phase {
  title: string;
  line: number;
  kind: PhaseKind;
  /** "3" of "Phase 3: …". */
  number?: string;
  story?: string;
  tasks: string[];
  /** How the phase as a whole is tested. */
  independentTest?: string;
  /** Other phases that the document says must be done before, by their place in the list. */
  needs: number[];
}

/** A dependency that the document states: `task` needs `needs`. */
export interface Link {
  task: string;
  needs: string;
  line: number;
  /** Whether there is a task of that id. */
  known: boolean;
  /** Of one that is not known: `task` is said to come before it, not after it. */
  reversed?: boolean;
}

/** Dependencies beyond the most that are kept, as often as they are stated, by whether there is a task of that id. */
export interface LinksLeftOut {
  known: number;
  unknown: number;
}

export interface TaskDocument {
  tasks: Task[];
  phases: Phase[];
  links: Link[];
  /** Tasks that a line outside of them says can be done at the same time. */
  together: { ids: string[]; line: number }[];
  /** Ids that stand twice, with the lines of all. */
  duplicates: { id: string; lines: number[] }[];
  /** Lines of places that the template left to be filled in. */
  placeholders: { text: string; line: number }[];
  lines: string[];
  /** Tasks beyond the most that are read. */
  leftOut: number;
  linksLeftOut: LinksLeftOut;
}

/** More tasks than these are counted, not read. */
export const MOST_TASKS = 3000;

/** Reads spec-kit's tasks.md and its relatives; never throws. */
export function readTasks(text: string): TaskDocument {
  const found = outlineOf(text);
  const chosen = chosenEntries(found);
  const outline = { ...found, rest: linesOutside(found, chosen) };
  const entries = chosen.slice(0, MOST_TASKS);
  const read = tasksOf(entries);
  const phases = phasesOf(outline, read.records);
  const { kept: links, leftOut: linksLeftOut } = linksOf(outline, read, phases);
  const { tasks, duplicates } = read;
  const placeholders = outline.lines.flatMap(({ text: line, number }) => {
    const found = PLACEHOLDER.exec(line)?.[0];
    return found ? [{ text: found, line: number }] : [];
  });
  const together = togetherIn(outline, tasks);
  const lines = outline.lines.map((line) => line.raw);
  const leftOut = chosen.length - entries.length;
  return { tasks, phases, links, together, duplicates, placeholders, lines, leftOut, linksLeftOut };
}

const PLACEHOLDER =
  /\bTXXX\b|\[(?:FEATURE NAME|FEATURE|Title|Entity\d?|Service|endpoint(?:\/feature)?|name|language|framework|location|user journey|Brief description[^\]]{0,80})\](?!\()/;
