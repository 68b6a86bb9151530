import { expect, test } from "vitest";
import { sandboxEngine } from "./sandbox-engine.ts";
import { MOST_REPORTED } from "./sandbox-limits.ts";
import { sandboxed } from "./sandboxed.ts";

/** What comes of a sandbox that does and says this. */
async function outcomeOf(step: string, report: string) {
  const sandbox = `({ open() {}, step() { ${step} }, report() { ${report} } })`;
  return sandboxed({ engine: await sandboxEngine(), sandbox, module: "0" });
}

test("says what it is told", async () => {
  expect(await outcomeOf("return false", "return '{}'")).toEqual({ report: "{}", stopped: undefined });
  expect(await outcomeOf("throw new Error('no')", "return '{}'")).toEqual({ report: "{}", stopped: "no" });
});

test("no more comes out of it than anybody needs, whatever the module had it say", async () => {
  const said = `return "x".repeat(${MOST_REPORTED + 1})`;
  const { report, stopped } = await outcomeOf("throw new Error('x'.repeat(1e6))", said);
  expect([report, stopped?.length]).toEqual([undefined, 2000]);
  expect((await outcomeOf("return false", "return { length: 1, toString: () => '{}' }")).report).toBeUndefined();
});
