import { expect, test } from "vitest";
import { analyze } from "./index.ts";

test("tasks that touch one file are not worked on at once", () => {
  const task = "- [ ] T1 a in src/a.ts\n- [ ] T2 b in src/a.ts\n- [ ] T3 c in src/b.ts\n- [ ] T4 d in src/b.ts\n";
  expect(analyze({ task }).parallelGroups).toEqual([
    ["T1", "T3"],
    ["T2", "T4"],
  ]);
});

test("what is done at once is not spread over phases that come one after the other", () => {
  const task = `## Phase 1: Setup

- [ ] T1 a
- [ ] T2 b (depends on T1)

## Phase 2: Build

- [ ] T3 c
- [ ] T4 d
- [ ] T5 e (depends on T3)
`;
  const { parallelGroups, criticalPath } = analyze({ task });
  expect([parallelGroups, criticalPath.basis]).toEqual([[["T3", "T4"]], "stated"]);
});
