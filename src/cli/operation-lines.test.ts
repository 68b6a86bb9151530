import { expect, test } from "vitest";
import { analyze } from "../operations/analyze/index.ts";
import { snakeCased } from "../operations/perform/snake-case.ts";
import { operationLines } from "./operation-lines.ts";
import { colours, noColours } from "./terminal/paint.ts";

const data = (task: string) => snakeCased(analyze({ task })) as object;
const tasks = `# Tasks

- [ ] T001 Begin (2h)
- [ ] T002 Go on (3h), depends on T001
- [ ] T003 A circle (1h), depends on T004
- [ ] T004 And back \u001b[31m(1h), depends on T003
`;

test("an analysis is drawn from its result, with nothing in it that moves the terminal", () => {
  const lines = operationLines("analyze", data(tasks), { paint: noColours, width: Number.POSITIVE_INFINITY });
  expect(lines.slice(0, 7)).toEqual([
    "",
    "Dependencies:",
    "",
    "  4 tasks, 7 h, 3 dependencies; critical path of 2 tasks, 5 h",
    "",
    "  T001 * (2 h) Begin",
    expect.stringMatching(/^ {2}└─ T002 \* \(3 h\) Go on/),
  ]);
  expect(lines).toContain("  !! circular: T003 → T004 → T003");
});

test("the critical path and what is wrong are in colours", () => {
  const lines = operationLines("analyze", data(tasks), { paint: colours, width: 60 });
  expect(lines[5]).toBe(`  ${colours.bold(colours.cyan("T001 * "))}(2 h) Begin`.replace("  ", colours.dim("  ")));
  expect(lines).toContain(colours.red("  !! circular: T003 → T004 → T003"));
});

test("without tasks there is nothing to draw", () => {
  expect(operationLines("analyze", data("# Tasks\n"), { paint: noColours, width: 80 })).toEqual([]);
  expect(operationLines("clarify", {}, { paint: noColours, width: 80 })).toEqual([]);
});
