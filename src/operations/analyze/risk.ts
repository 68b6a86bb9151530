import type { Analysis, Risk } from "./analysis.ts";
import { counted, listed } from "./place.ts";

type Judged = Omit<Analysis, "riskLevel" | "risks" | "recommendations" | "leftOut">;

/** What can go wrong if work began now, worst first. */
export function risksOf(analysis: Judged): Risk[] {
  const risks = [...structural(analysis), ...ofCoverage(analysis), ...ofEffort(analysis)];
  const rank = { high: 0, medium: 1, low: 2 };
  return risks.sort((a, b) => rank[a.level] - rank[b.level]);
}

/** High by one high risk or four of middle size; middle by one of middle size. */
export function riskLevelOf(risks: Risk[]): Analysis["riskLevel"] {
  const count = (level: Risk["level"]) => risks.filter((risk) => risk.level === level).length;
  if (count("high") > 0 || count("medium") >= 4) return "high";
  return count("medium") > 0 ? "medium" : "low";
}

function structural({ cycles, dangling, duplicates, findings, documents, tasks }: Judged): Risk[] {
  const contradictions = findings.filter(({ kind }) => kind === "contradiction");
  const phases = findings.filter(({ kind }) => kind === "phase-order").length;
  const conflicts = findings.filter(({ kind }) => kind === "parallel-conflict").length;
  const risks: Risk[] = [];
  if (documents.includes("task") && tasks.length === 0) risks.push({ level: "high", reason: "There are no tasks." });
  if (cycles.length > 0)
    risks.push({
      level: "high",
      reason: `${counted(cycles.length, "circular dependency", "circular dependencies")}: ${listed(cycles.flat(), 6)} cannot be begun.`,
    });
  for (const { message } of contradictions.slice(0, 3)) risks.push({ level: "high", reason: message });
  if (dangling.length > 0)
    risks.push({
      level: dangling.length > 2 ? "high" : "medium",
      reason: `${counted(dangling.length, "dependency", "dependencies")} on tasks that do not exist.`,
    });
  if (duplicates.length > 0)
    risks.push({
      level: "medium",
      reason: `${counted(duplicates.length, "id")} used twice: dependencies on ${listed(
        duplicates.map(({ id }) => id),
        4,
      )} are ambiguous.`,
    });
  if (phases > 0)
    risks.push({
      level: "medium",
      reason: `${counted(phases, "task")} ${phases === 1 ? "depends" : "depend"} on a later phase.`,
    });
  if (conflicts > 0)
    risks.push({ level: "low", reason: `${counted(conflicts, "[P] mark")} would let people get in each other's way.` });
  return risks;
}

function ofCoverage({
  uncovered,
  uncoveredStories,
  coverage,
  missingTasks,
  unwanted,
  findings,
  tasks,
  documents,
}: Judged): Risk[] {
  const risks: Risk[] = [];
  const all = coverage.requirements.length;
  if (uncovered.length > 0) {
    const level = uncovered.length >= 3 && uncovered.length * 4 >= all ? "high" : "medium";
    risks.push({
      level,
      reason: `${uncovered.length} of ${counted(all, "requirement")} would not be built: ${listed(
        uncovered.map(({ id }) => id),
        6,
      )}.`,
    });
  }
  if (uncoveredStories.length > 0)
    risks.push({
      level: "high",
      reason: `No task builds ${listed(
        uncoveredStories.map(({ id }) => id),
        6,
      )}.`,
    });
  for (const { kind, why } of missingTasks) {
    const level =
      kind === "security" || kind === "tests" || kind === "migration"
        ? "medium"
        : kind === "error handling"
          ? "medium"
          : "low";
    risks.push({ level, reason: `No task for ${kind}: ${why}.` });
  }
  const open = findings.filter(({ kind, place }) => kind === "open-mark" && place.document === "spec").length;
  const left = findings.filter(({ kind, place }) => kind === "open-mark" && place.document === "plan").length;
  if (open > 0)
    risks.push({
      level: open > 3 ? "high" : "medium",
      reason: `${counted(open, "question")} of the spec ${open === 1 ? "is" : "are"} still open.`,
    });
  if (left > 0) risks.push({ level: "medium", reason: `The plan leaves ${counted(left, "decision")} open.` });
  if (findings.some(({ kind }) => kind === "no-requirements"))
    risks.push({ level: "high", reason: "The spec states neither requirements nor user stories." });
  const untested = findings.filter(({ kind }) => kind === "story-without-scenarios").length;
  if (untested > 0)
    risks.push({
      level: "medium",
      reason: `${counted(untested, "user story", "user stories")} cannot be accepted: no scenario says when.`,
    });
  if (unwanted.length > 0)
    risks.push({
      level: unwanted.length * 4 > tasks.length ? "medium" : "low",
      reason: `${counted(unwanted.length, "task")} that nobody asked for (${listed(
        unwanted.map(({ id }) => id),
        4,
      )}).`,
    });
  if (!documents.includes("spec") && documents.includes("task"))
    risks.push({ level: "low", reason: "There is no spec to hold the tasks against." });
  return risks;
}

function ofEffort({
  tasks,
  withoutEstimate,
  criticalPath,
  totalHours,
  dependencies,
  withoutAcceptance,
}: Judged): Risk[] {
  const risks: Risk[] = [];
  if (tasks.length === 0) return risks;
  const share = withoutEstimate.length / tasks.length;
  if (share > 0)
    risks.push({
      level: share > 0.5 ? "medium" : "low",
      reason: `${withoutEstimate.length} of ${counted(tasks.length, "task")} have no estimate.`,
    });
  if (withoutAcceptance.length * 2 > tasks.length)
    risks.push({
      level: "medium",
      reason: `${withoutAcceptance.length} of ${counted(tasks.length, "task")} do not say when they are done.`,
    });
  const neck = bottleneck(dependencies, tasks.length);
  if (neck) risks.push({ level: "low", reason: `${neck.id} holds up ${neck.count} tasks that depend on it directly.` });
  const { hours, tasks: path } = criticalPath;
  if (path.length > 5 && totalHours > 0 && hours / totalHours > 0.9 && tasks.length > 8) {
    risks.push({
      level: "low",
      reason: `${Math.round((100 * hours) / totalHours)} % of the work is on the critical path: hardly anything can be done side by side.`,
    });
  }
  return risks;
}

function bottleneck(dependencies: Analysis["dependencies"], count: number): { id: string; count: number } | undefined {
  const waiting = new Map<string, number>();
  for (const { to } of dependencies) waiting.set(to, (waiting.get(to) ?? 0) + 1);
  const [most] = [...waiting].sort((a, b) => b[1] - a[1]);
  return most && most[1] >= 6 && most[1] * 3 >= count ? { id: most[0], count: most[1] } : undefined;
}
