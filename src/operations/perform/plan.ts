import { DragomanError } from "../../core/errors.ts";
import type { Analysis } from "../analyze/index.ts";
import type { Documents } from "../documents.ts";
import type { Change, Saved } from "../features/feature-store.ts";
import type { PlanSummary } from "../plan/index.ts";
import { think } from "../think.ts";
import { type Read, specIn } from "./feature-files.ts";
import type { Performance, Performed } from "./performance.ts";
import { checked, planAdvice } from "./plan-advice.ts";
import type { Target } from "./request.ts";
import { savedWhere } from "./saved-where.ts";
import { counted, listed, pathText } from "./words.ts";

export const planSteps = ["Read the specification", "Make the plan and its tasks", "Check them", "Save them"];

const ASK_MS = 60 * 60 * 1000;
const made = ["plan", "task"] as const;

/** Makes plan.md and task.md from a specification. Nothing is saved that the analysis finds fault with. */
export async function plan(performance: Performance): Promise<Performed> {
  const { telling, files, request, advice, signal } = performance;
  await telling.think("Reading specification document...");
  const read = await telling.step(() => files.read());
  const spec = specIn(read, "plan");
  const feature = nameOf(request.target, read);
  const own = await telling.step(() => think(signal, "plan", spec.content, { feature, today: read.today }));
  const { documents, analysis } = await telling.step(async () => {
    await telling.think("Checking the tasks against the specification...");
    const byRules = await checked(spec, { plan: own.plan, task: own.task }, signal);
    const [fault] = byRules.faults;
    if (fault !== undefined) throw new DragomanError("internal", `The plan that was made is not sound: ${fault}`);
    return planAdvice(advice, telling, spec, byRules, signal);
  });
  const before = made.filter((name) => read.documents[name] && read.documents[name].content !== documents[name]);
  if (before.length > 0 && !(await mayReplace(performance, read, before))) return leftAsTheyAre(performance);
  const saved = await telling.step(() => files.save(changesOf(read, documents), `docs: plan ${feature}`));
  return told(performance, saved, own.summary, analysis);
}

/** Beside a file the feature is called as its folder. */
function nameOf(target: Target, { place }: Read): string {
  return "feature" in target ? target.feature : (place.split(/[/\\]/).findLast((name) => /\w/.test(name)) ?? "feature");
}

/** A document must be now as it was read, or not be there. */
function changesOf({ documents }: Read, contents: Documents): Change[] {
  return made.map((name) => ({ name, content: contents[name] ?? "", ifMatch: documents[name]?.etag ?? null }));
}

async function mayReplace({ io, request }: Performance, read: Read, names: (typeof made)[number][]): Promise<boolean> {
  if (request.replace) return true;
  const paths = names.map((name) => read.documents[name]?.path ?? name).join(" and ");
  const reply = await io.ask(
    {
      kind: "confirm",
      title: `Replace ${names.map((name) => `${name}.md`).join(" and ")}?`,
      message: `${paths} ${names.length > 1 ? "are" : "is"} there already, with other content. What is written there would be gone.`,
      danger: true,
      confirmLabel: "Replace",
      cancelLabel: "Keep",
    },
    ASK_MS,
  );
  if (reply.outcome === "answered") return "ok" in reply.answer && reply.answer.ok;
  const why = reply.outcome === "denied" ? "no one is there to say" : "nobody said";
  const message = `${paths}: there already, with other content, and ${why} whether to replace it. Ask for a plan that replaces what is there (--replace; --yes alone does not), or put it elsewhere.`;
  throw new DragomanError("no_one_to_ask", message);
}

async function leftAsTheyAre({ telling }: Performance): Promise<Performed> {
  await telling.skipRest();
  await telling.say("plan.md and task.md are left as they are, since you said so.");
  return { description: "Planning ended. The documents there are were kept; nothing was saved.", data: { kept: true } };
}

async function told(
  { telling }: Performance,
  saved: Saved,
  { stories, requirements, open }: PlanSummary,
  analysis: Analysis,
): Promise<Performed> {
  const { criticalPath, tasks, totalHours, completeness, riskLevel } = analysis;
  const paths = saved.documents.map(({ path }) => path).join(" and ");
  await telling.say(`Wrote ${paths}${savedWhere(saved)}.`);
  const count = counted(tasks.length, "task");
  await telling.say(
    listed("Plan:", [
      `${count} for ${counted(stories, "story", "stories")} and ${counted(requirements, "requirement")}, ${totalHours} h`,
      `Critical path: ${pathText(criticalPath.tasks)} (${criticalPath.hours} h)`,
      `Completeness: ${completeness.score}/100, risk ${riskLevel}`,
    ]),
  );
  if (saved.warning) await telling.warn([saved.warning]);
  const left = `${counted(open, "question")} in the specification ${open === 1 ? "is" : "are"} still open: clarify, then plan again.`;
  if (open > 0) await telling.warn([left]);
  await telling.say("Next: read both, change what you know better, then analyze.");
  const data = {
    saved,
    tasks: tasks.length,
    totalHours,
    criticalPath,
    completenessScore: completeness.score,
    riskLevel,
  };
  return { description: `Planning complete. ${count} in ${paths}. Review them, then analyze.`, data };
}
