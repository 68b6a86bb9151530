import type { DocumentName, Place } from "../documents.ts";

export type FaultKind =
  | "cycle"
  | "self-dependency"
  | "dangling"
  | "duplicate-id"
  | "no-id"
  | "no-estimate"
  | "no-acceptance"
  | "uncovered-requirement"
  | "uncovered-story"
  | "uncovered-criterion"
  | "unwanted-task"
  | "parallel-conflict"
  | "phase-order"
  | "unknown-reference"
  | "contradiction"
  | "missing-task"
  | "missing-section"
  | "open-mark"
  | "placeholder"
  | "story-without-scenarios"
  | "unmeasurable-criterion"
  | "no-requirements"
  | "no-tasks"
  | "oversized-task";

export type Severity = "error" | "warning" | "note";

/** Something wrong with a document, and where. */
export interface Fault {
  kind: FaultKind;
  severity: Severity;
  message: string;
  place: Place;
  /** The tasks, requirements or stories that it is about. */
  ids: string[];
}

export interface ScorePart {
  name: string;
  /** 0 to 100; nothing where the part does not apply. */
  score?: number;
  weight: number;
  why: string;
}

export interface Risk {
  level: "low" | "medium" | "high";
  reason: string;
}

export interface AnalyzedTask {
  id: string;
  title: string;
  line: number;
  phase?: string;
  story?: string;
  hours?: number;
  parallel: boolean;
  done: boolean;
  dependsOn: string[];
  /** The requirements, criteria and stories of the spec that it works for. */
  serves: string[];
}

export interface MissingTask {
  kind: string;
  title: string;
  why: string;
  /** Tasks that it would come after. */
  dependsOn: string[];
  place: Place;
}

export interface Coverage {
  /** How it was told which task serves which requirement: by the ids that tasks name, or by their words. */
  basis: "ids" | "words" | "both" | "none";
  requirements: { id: string; tasks: string[] }[];
}

export interface LeftOut {
  tasks: number;
  /** Those that are not read are counted as often as they are stated. */
  dependencies: number;
  dangling: number;
  uncovered: number;
  unwanted: number;
  findings: number;
}

export interface Analysis {
  /** Those that were given. */
  documents: DocumentName[];
  completeness: { score: number; parts: ScorePart[] };
  riskLevel: "low" | "medium" | "high";
  risks: Risk[];
  tasks: AnalyzedTask[];
  /** `from` needs `to`. */
  dependencies: { from: string; to: string }[];
  /** Each begins with the first of its ids, and each needs the one that follows it. */
  cycles: string[][];
  /** Of one that is `reversed`, `task` is said to come before what does not exist, not after it. */
  dangling: { task: string; needs: string; reversed?: boolean; place: Place }[];
  selfDependencies: { task: string; place: Place }[];
  duplicates: { id: string; places: Place[] }[];
  withoutEstimate: string[];
  withoutAcceptance: string[];
  coverage: Coverage;
  /** Requirements that no task covers. */
  uncovered: { id: string; text: string; place: Place }[];
  uncoveredStories: { id: string; text: string; place: Place }[];
  uncoveredCriteria: { id: string; text: string; place: Place }[];
  /** Tasks that no requirement wants. */
  unwanted: { id: string; title: string; place: Place }[];
  missingTasks: MissingTask[];
  /** What can be worked off, one after the other; tasks in a cycle or behind one are in `unordered`. */
  order: string[];
  unordered: string[];
  /** Tasks that can be worked on at the same time. */
  parallelGroups: string[][];
  /** `hours` counts the tasks with an estimate; `unestimated` of its tasks have none. */
  criticalPath: { tasks: string[]; hours: number; unestimated: number; basis: "stated" | "phases" | "none" };
  totalHours: number;
  recommendations: string[];
  findings: Fault[];
  /** How many there are beyond those that are read or listed: lists are bounded. */
  leftOut: LeftOut;
}
