import { expect, test } from "vitest";
import { analysisReport, analyze } from "./index.ts";

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at + 1)).join("\n");
const reported = (report: string, name: string) => report.split("\n").find((line) => line.startsWith(`- ${name}:`));

test("dependencies beyond the most that are read are counted, reported, and a reason to split the feature", () => {
  const analysis = analyze({ task: lines(300, (at) => `- [ ] T${at} x (depends on T1-T${at - 1})`) });
  const all = (300 * 299) / 2;
  // T1 names T1-T0: that is itself, and a task that does not exist
  expect([analysis.dependencies.length, analysis.dangling.length, analysis.selfDependencies.length]).toEqual([
    19_998, 1, 1,
  ]);
  expect(analysis.leftOut.dependencies).toBe(all - 19_998);
  expect(reported(analysisReport(analysis), "Dependencies")).toBe(
    `- Dependencies: 19998 (and ${all - 19_998} more that were not read)`,
  );
  expect(analysis.recommendations[0]).toBe(
    `Split the feature: it is more than is read, so that ${all - 19_998} dependencies of task.md are not judged.`,
  );
});

test("a dependency that was read is not counted as left out where it is stated again", () => {
  const task = lines(300, (at) => `- [ ] T${at} x (depends on T1-T${at - 1})`);
  const again = `${task}\n\n## Dependencies\n\n- T1 → T2\n- T1 → T3\n`;
  expect(analyze({ task: again }).leftOut).toEqual(analyze({ task }).leftOut);
});

test("tasks that are not read are told among what to do", () => {
  const { recommendations } = analyze({ task: lines(3007, (at) => `- [ ] T${at} x (1h)`) });
  expect(recommendations[0]).toBe(
    "Split the feature: it is more than is read, so that 7 tasks of task.md are not judged.",
  );
});

test("the report counts what the lists of the result have no room for", () => {
  const spec = `## Requirements\n\n${lines(700, (at) => `- **FR-${at}**: System MUST w${at} z${at}`)}`;
  const task = lines(600, (at) => `- [ ] T${at} q${at} v${at} (depends on T${at + 9000})`);
  const analysis = analyze({ spec, task });
  const { uncovered, unwanted, dangling, leftOut } = analysis;
  expect([uncovered.length, unwanted.length, dangling.length]).toEqual([500, 500, 500]);
  expect(leftOut).toMatchObject({ tasks: 0, dependencies: 0, uncovered: 200, unwanted: 100, dangling: 100 });
  const report = analysisReport(analysis);
  expect(reported(report, "Requirements Without Task")).toMatch(/: 700 \(FR-1, .* and 693 more\)$/);
  expect(reported(report, "Tasks Without Requirement")).toMatch(/: 600 \(T1, .* and 593 more\)$/);
  expect(reported(report, "Dangling Dependencies")).toMatch(/: 600 \(T1 → T9001, .* and 593 more\)$/);
});
