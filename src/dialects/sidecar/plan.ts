import type { EventOf, PlanStep } from "../../core/events.ts";
import type { BoundedMap } from "../bounded-map.ts";
import type { DataOf, Message } from "./messages.ts";

/** What was last said of a run's plan and of its steps outside of one. */
export interface Progress {
  plan?: { planId: string; steps: PlanStep[]; complete: boolean };
  /** Titles of the steps that were announced without a plan and are still open. */
  openSteps: BoundedMap<string>;
}

type PlanStatus = DataOf<"plan.complete">["status"];

function stepMessage(planId: string, step: PlanStep): Message {
  const { stepId, description, status } = step;
  return { event: "plan.step", data: { planId, stepId, description, status } };
}

function completeMessage(planId: string, status: PlanStatus): Message {
  return { event: "plan.complete", data: { planId, status } };
}

function isOpen({ status }: PlanStep): boolean {
  return status === "pending" || status === "running";
}

/** How a plan came out, once nothing of it is left to do. */
function outcomeOf(steps: PlanStep[]): PlanStatus | undefined {
  if (steps.length === 0 || steps.some(isOpen)) return undefined;
  if (steps.some((step) => step.status === "failed")) return "failed";
  return steps.some((step) => step.status === "done") ? "done" : "skipped";
}

/** The steps that are new or changed; one that a later plan leaves out is skipped. */
function changedSteps(before: PlanStep[], after: PlanStep[]): PlanStep[] {
  const known = new Map(before.map((step) => [step.stepId, step]));
  const changed = after.filter((step) => {
    const old = known.get(step.stepId);
    known.delete(step.stepId);
    return old?.status !== step.status || old.description !== step.description;
  });
  return [...changed, ...[...known.values()].map((step) => ({ ...step, status: "skipped" as const }))];
}

/** The first plan starts, later ones tell their changes; a plan with another id takes the place of the one before. */
export function updatePlan(state: Progress, { planId, steps }: EventOf<"plan.updated">): Message[] {
  const replaced = state.plan?.planId === planId ? [] : endPlan(state, "skipped");
  const known = state.plan;
  const messages: Message[] = known
    ? changedSteps(known.steps, steps).map((step) => stepMessage(planId, step))
    : [{ event: "plan.start", data: { planId, steps } }];
  const outcome = known?.complete ? undefined : outcomeOf(steps);
  state.plan = { planId, steps, complete: known?.complete === true || outcome !== undefined };
  return [...replaced, ...messages, ...(outcome ? [completeMessage(planId, outcome)] : [])];
}

/** Steps that ran come out as the plan does, those that never began are skipped. */
function endPlan(state: Progress, status: PlanStatus): Message[] {
  const { plan } = state;
  if (!plan) return [];
  state.plan = undefined;
  const { planId, steps } = plan;
  const ended = steps
    .filter(isOpen)
    .map((step) => stepMessage(planId, { ...step, status: step.status === "running" ? status : "skipped" }));
  if (plan.complete) return ended;
  const failed = steps.some((step) => step.status === "failed");
  return [...ended, completeMessage(planId, failed ? "failed" : status)];
}

/** With a plan, the plan's own steps are what is shown. */
export function startStep(state: Progress, { runId, stepId, title }: EventOf<"step.started">): Message[] {
  if (state.plan) return [];
  state.openSteps.set(stepId, title);
  return [stepMessage(runId, { stepId, description: title, status: "running" })];
}

export function isOpenStep(state: Progress, { stepId }: EventOf<"step.finished">): boolean {
  return state.openSteps.get(stepId) !== undefined;
}

export function finishStep(state: Progress, { runId, stepId, status }: EventOf<"step.finished">): Message[] {
  const description = state.openSteps.take(stepId);
  if (description === undefined) return [];
  return [stepMessage(runId, { stepId, description, status: status === "failed" ? "failed" : "done" })];
}

/** At the run's end nothing is left open. */
export function endProgress(state: Progress, runId: string, steps: PlanStatus, plan: PlanStatus): Message[] {
  const open = state.openSteps
    .takeAll()
    .map(([stepId, description]) => stepMessage(runId, { stepId, description, status: steps }));
  return [...open, ...endPlan(state, plan)];
}
