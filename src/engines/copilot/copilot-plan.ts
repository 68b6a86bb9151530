import type { PlanStep } from "../../core/events.ts";

interface Todo {
  id?: string;
  title?: string;
  description?: string;
  status?: string;
}

const statuses: Record<string, PlanStep["status"]> = { in_progress: "running", done: "done", blocked: "pending" };

/** The list of what is to be done that Copilot keeps for itself. */
export function planSteps(todos: readonly Todo[]): PlanStep[] {
  return todos.map(({ id, title, description, status = "" }, i) => ({
    stepId: id ?? String(i + 1),
    description: title || description || `Step ${i + 1}`,
    status: statuses[status] ?? "pending",
  }));
}
