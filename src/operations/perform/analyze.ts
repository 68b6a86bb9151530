import type { Analysis } from "../analyze/index.ts";
import { think } from "../think.ts";
import { faultTexts } from "./analysis-faults.ts";
import { type AnalyzeAdvice, analyzeAdvice } from "./analyze-advice.ts";
import { contentsOf, type Read } from "./feature-files.ts";
import type { Performance, Performed } from "./performance.ts";
import type { Telling } from "./telling.ts";
import { counted, listed, pathText } from "./words.ts";

export const analyzeSteps = ["Read the documents", "Check tasks, dependencies and risks"];

const MOST_LISTED = 15;

/** Judges the documents of a feature. It writes nothing. */
export async function analyzeDocuments({ telling, files, advice, signal }: Performance): Promise<Performed> {
  await telling.think("Parsing task document...");
  const read = await telling.step(() => files.read());
  const { analysis, more } = await telling.step(async () => {
    const found = await think(signal, "analyze", contentsOf(read));
    await telling.think(`Found ${counted(found.tasks.length, "task")}. Checking for dependencies and risks...`);
    return { analysis: found, more: await analyzeAdvice(advice, read) };
  });
  await tellResults(telling, read, analysis);
  await tellNext(telling, analysis, more);
  return { description: ending(read), data: dataOf(analysis, more) };
}

async function tellResults(telling: Telling, read: Read, analysis: Analysis): Promise<void> {
  const { completeness, riskLevel, cycles, missingTasks, criticalPath, totalHours } = analysis;
  const missing = missingTasks.map(({ kind }) => kind).join(", ");
  const circular = cycles.map((ids) => [...ids, ids[0]].join(" → "));
  const path = pathText(criticalPath.tasks);
  await telling.say(
    listed("Analysis Results:", [
      `Completeness Score: ${completeness.score}/100`,
      `Risk Level: ${riskLevel.toUpperCase()}`,
      `Identified Circular Dependencies: ${short(circular) || "None"}`,
      `Missing Tasks Detected: ${missingTasks.length === 0 ? "None" : `${missingTasks.length} (${missing})`}`,
      ...(path === "" ? [] : [`Critical Path: ${path} (${hours(criticalPath.hours)} of ${hours(totalHours)})`]),
    ]),
  );
  const costly = completeness.parts.filter(({ score = 100 }) => score < 100);
  if (costly.length > 0) {
    const parts = costly.map(({ name, score, why }) => `${name}: ${score}/100. ${why}`);
    await telling.say(listed("What costs points:", parts));
  }
  await telling.warn(faultTexts(analysis.findings, read).map((text) => `WARNING: ${text}`));
}

async function tellNext(telling: Telling, analysis: Analysis, more: AnalyzeAdvice): Promise<void> {
  const { missingTasks } = analysis;
  const additions = missingTasks.map(({ title, dependsOn, why }, index) => {
    const after = dependsOn.length > 0 ? ` (depends on ${short(dependsOn)})` : "";
    return `${index + 1}. '${title}' task${after}: ${why}`;
  });
  if (additions.length > 0) await telling.say(["Recommended additions:", ...additions].join("\n"));
  const risks = [...analysis.risks.map(({ level, reason }) => `${level}: ${reason}`), ...more.risks];
  if (risks.length > 0) await telling.say(listed("Risks:", risks.slice(0, MOST_LISTED), risks.length));
  const isAddition = (text: string) => missingTasks.some(({ title }) => text.includes(`“${title}”`));
  const recommended = recommendationsOf(analysis, more).filter((text) => !isAddition(text));
  if (recommended.length === 0) return;
  await telling.say(listed("Recommendations:", recommended.slice(0, MOST_LISTED), recommended.length));
}

const recommendationsOf = (analysis: Analysis, more: AnalyzeAdvice) => [
  ...analysis.recommendations,
  ...more.recommendations,
];

function ending({ documents }: Read): string {
  const path = documents.task?.path ?? documents.plan?.path ?? documents.spec?.path;
  const name = path?.split("/").at(-1) ?? "task.md";
  const next = documents.task ? `update ${name} if needed` : "make the tasks with plan";
  return `Analysis complete. Review recommendations above and ${next}.`;
}

const MOST_IN_LINE = 5;

function short(items: string[]): string {
  const more = items.length > MOST_IN_LINE ? ` and ${items.length - MOST_IN_LINE} more` : "";
  return items.slice(0, MOST_IN_LINE).join(", ") + more;
}

const hours = (count: number) => `${Math.round(count * 10) / 10} h`;

/** For machines: the names of the document first, then all that was found out. */
function dataOf(analysis: Analysis, more: AnalyzeAdvice): object {
  const { completeness, withoutEstimate, withoutAcceptance, uncovered, unwanted, ...others } = analysis;
  return {
    completenessScore: completeness.score,
    completenessParts: completeness.parts,
    ...others,
    tasksWithoutEstimate: withoutEstimate,
    tasksWithoutAcceptance: withoutAcceptance,
    uncoveredRequirements: uncovered,
    unwantedTasks: unwanted,
    risks: [...analysis.risks, ...more.risks.map((reason) => ({ level: "medium", reason, source: "advice" }))],
    recommendations: recommendationsOf(analysis, more),
  };
}
