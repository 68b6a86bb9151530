import { plainText } from "../../core/plain-text.ts";
import type { Message } from "../../dialects/ui/messages.ts";
import type { Paint } from "./paint.ts";
import { wordRows } from "./text-width.ts";
import { count, oneLine } from "./wording.ts";

export type Todo = Extract<Message, { method: "todos.update" }>["params"]["todos"][number];

const signs: Record<Todo["status"], string> = {
  pending: "☐",
  in_progress: "▸",
  completed: "☑",
  failed: "✗",
  skipped: "–",
};

const colourOf: Record<Todo["status"], keyof Paint | undefined> = {
  pending: undefined,
  in_progress: "bold",
  completed: "green",
  failed: "red",
  skipped: "dim",
};

function painted({ status }: Todo, text: string, paint: Paint): string {
  const colour = colourOf[status];
  return colour ? paint[colour](text) : text;
}

/** A plan as a checklist, all of it. */
export function planLines(todos: Todo[], paint: Paint, width: number): string[] {
  return todos.flatMap((todo) =>
    wordRows(plainText(todo.content).replace(/\s+/g, " "), width - 4).map((row, index) =>
      painted(todo, `  ${index === 0 ? signs[todo.status] : " "} ${row}`, paint),
    ),
  );
}

/** A plan in few rows: what is being done, and what is around it. */
export function planInRows(todos: Todo[], paint: Paint, rows: number): string[] {
  const lines = todos.map((todo) => painted(todo, `  ${signs[todo.status]} ${oneLine(todo.content)}`, paint));
  if (lines.length <= rows) return lines;
  const done = todos.filter(({ status }) => status === "completed").length;
  const at = todos.findIndex(({ status }) => status === "in_progress");
  const from = Math.max(0, Math.min(at - 1, lines.length - rows + 1));
  return [...lines.slice(from, from + rows - 1), paint.dim(`    … ${done} of ${count(todos.length, "step")} done`)];
}

/** The steps that are not what they were. */
export function changedSteps(before: Todo[] | undefined, after: Todo[]): Todo[] {
  return after.filter(
    ({ id, content, status }) =>
      !before?.some((todo) => todo.id === id && todo.content === content && todo.status === status),
  );
}

/** A plan whose run is over: what was being done will not be. */
export function brokenOff(todos: Todo[]): Todo[] {
  return todos.map((todo) => (todo.status === "in_progress" ? { ...todo, status: "failed" } : todo));
}
