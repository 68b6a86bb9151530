import type { Analysis } from "./analysis.ts";
import { counted, listed, shortened } from "./place.ts";
import { circle } from "./task-faults.ts";

const MOST_ROWS = 12;

/** The analysis as a page of Markdown. */
export function analysisReport(analysis: Analysis): string {
  const { completeness, riskLevel, risks, recommendations, tasks } = analysis;
  const lines = [
    "# Analysis",
    "",
    `- Completeness Score: ${completeness.score}/100`,
    `- Risk Level: ${riskLevel.toUpperCase()}`,
    ...(tasks.length > 0 || analysis.documents.includes("task") ? ofTasks(analysis) : ["- Tasks: there is no task.md"]),
    ...section(
      "Recommendations",
      recommendations.map((words, at) => `${at + 1}. ${words}`),
    ),
    ...section(
      "Risks",
      risks.slice(0, MOST_ROWS).map(({ level, reason }) => `- **${level}**: ${reason}`),
    ),
    ...findingsTable(analysis),
    ...section("Score", [
      "| Part | Score | Weight | Why |",
      "|---|---|---|---|",
      ...completeness.parts.map(
        ({ name, score, weight, why }) => `| ${name} | ${score ?? "–"} | ${weight} | ${cell(why)} |`,
      ),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

function ofTasks(analysis: Analysis): string[] {
  const {
    cycles,
    missingTasks,
    dangling,
    withoutEstimate,
    withoutAcceptance,
    uncovered,
    unwanted,
    criticalPath,
    unordered,
    tasks,
  } = analysis;
  const { leftOut } = analysis;
  const orNone = (list: string[], more = 0) =>
    list.length === 0 ? "None" : `${list.length + more} (${listed(list, 8, list.length + more)})`;
  const { tasks: path, hours, unestimated } = criticalPath;
  return [
    `- Tasks: ${tasks.length}${leftOut.tasks > 0 ? ` (and ${leftOut.tasks} more that were not read)` : ""}, ${analysis.totalHours} h estimated, ${counted(tasks.filter(({ done }) => done).length, "task")} done`,
    ...(leftOut.dependencies > 0
      ? [`- Dependencies: ${analysis.dependencies.length} (and ${leftOut.dependencies} more that were not read)`]
      : []),
    `- Identified Circular Dependencies: ${cycles.length === 0 ? "None" : cycles.slice(0, 5).map(circle).join("; ")}`,
    `- Dangling Dependencies: ${orNone(
      dangling.map(({ task, needs }) => `${task} → ${needs}`),
      leftOut.dangling,
    )}`,
    `- Missing Tasks Detected: ${missingTasks.length === 0 ? "None" : `${missingTasks.length} (${missingTasks.map(({ kind }) => kind).join(", ")})`}`,
    `- Tasks Without Estimate: ${orNone(withoutEstimate)}`,
    `- Tasks Without Acceptance: ${orNone(withoutAcceptance)}`,
    ...(analysis.documents.includes("spec")
      ? [
          `- Requirements Without Task: ${orNone(ids(uncovered), leftOut.uncovered)}`,
          `- Tasks Without Requirement: ${orNone(ids(unwanted), leftOut.unwanted)}`,
        ]
      : []),
    `- Critical Path: ${path.length === 0 ? "None" : `${shortened(path.join(" → "), 200)} (${hours} h${unestimated > 0 ? `, ${unestimated} without an estimate` : ""}${unordered.length > 0 ? `, without ${counted(unordered.length, "task")} in or behind a circle` : ""})`}`,
  ];
}

const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

function findingsTable({ findings, leftOut }: Analysis): string[] {
  if (findings.length === 0) return [];
  const rows = findings
    .slice(0, MOST_ROWS)
    .map(({ severity, message, place }) => `| ${severity} | ${place.document}.md:${place.line} | ${cell(message)} |`);
  const more = findings.length + leftOut.findings - MOST_ROWS;
  return section("Findings", [
    "| | Where | What |",
    "|---|---|---|",
    ...rows,
    ...(more > 0 ? ["", `And ${counted(more, "more finding")}.`] : []),
  ]);
}

const cell = (text: string) => shortened(text.replace(/\s+/g, " "), 160).replace(/\|/g, "\\|");

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];
}
