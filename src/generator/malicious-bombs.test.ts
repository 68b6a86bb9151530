import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundled, runOnText } from "../../scripts/corpus-run.ts";
import { bombs } from "../../test/descriptions/malicious/bombs.ts";

// Each in a process of its own, which may open no file and no connection. Alone on a machine none takes three seconds; tests share
// theirs, so what counts is what the processor spent, with room.

const mostCpuMs = 8000;
const mostMb = 400;

let program = "";
beforeAll(async () => {
  program = await bundled("scripts/corpus-one.ts");
}, 60_000);
afterAll(() => rmSync(program, { force: true }));

describe("a small description that means far more", () => {
  test.concurrent.each(Object.entries(bombs))("costs little: %s", { timeout: 60_000 }, async (name, make) => {
    const text = make();
    expect(text.length).toBeLessThan(1_000_000);
    const { outcome, message, cpuMs, peakMb, connections } = await runOnText(program, name, text);
    expect({ outcome, connections, message }).toEqual({
      outcome: expect.stringMatching(/^(interface|refused)$/),
      connections: 0,
      message: outcome === "refused" ? expect.stringMatching(/^(spec_invalid|too_large): .*\(at .+\)$/s) : undefined,
    });
    expect([cpuMs < mostCpuMs || cpuMs, peakMb < mostMb || peakMb]).toEqual([true, true]);
  });
});
