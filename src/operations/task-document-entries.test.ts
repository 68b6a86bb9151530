import { expect, test } from "vitest";
import { readTasks } from "./task-document.ts";

test("a heading keeps the C# that it ends in, and loses the marks that close it", () => {
  const { phases } = readTasks("## Phase 1: C#\n\n- [ ] T1 a\n\n## Phase 2: x ##\n\n- [ ] T2 b\n");
  expect(phases.map(({ title }) => title)).toEqual(["Phase 1: C#", "Phase 2: x"]);
});

test("a pipe in the code of a row divides no cells", () => {
  const text =
    "| ID | Task | Depends | Estimate |\n|---|---|---|---|\n| T1 | Do | none | 2h |\n| T2 | Take `a|b` | T1 | 3h |\n";
  const { tasks } = readTasks(text);
  expect(tasks.map(({ id, title, dependsOn, estimate }) => [id, title, dependsOn, estimate?.hours])).toEqual([
    ["T1", "Do", [], 2],
    ["T2", "Take a|b", ["T1"], 3],
  ]);
});
