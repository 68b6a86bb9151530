import { expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { Redactor } from "../core/redactor.ts";
import type { LogEntry } from "../transports/http/log.ts";
import { serveLog } from "./serve-log.ts";

function logged(form: "json" | "readable", entries: LogEntry[], level: LogEntry["level"] = "info"): string[] {
  const lines: string[] = [];
  const clock = new ManualClock(new Date(2026, 0, 1, 9, 5, 7).getTime());
  const log = serveLog({
    level,
    form,
    clock,
    redactor: new Redactor(["drg_canary"]),
    write: (line) => void lines.push(line),
  });
  for (const entry of entries) log(entry);
  return lines;
}

test("writes a line of JSON for each thing, what it is first", () => {
  const [line = "", ...more] = logged("json", [{ level: "info", event: "http.request", ms: 3, status: 200 }]);
  expect(more).toEqual([]);
  expect(line).toBe(
    `{"at":"${new Date(2026, 0, 1, 9, 5, 7).toISOString()}","level":"info","event":"http.request","ms":3,"status":200}\n`,
  );
});

test("writes short lines for a person", () => {
  const entry: LogEntry = { level: "warn", event: "http.refused", status: 403, why: "a foreign origin", of: undefined };
  expect(logged("readable", [entry])).toEqual(['09:05:07 warn  http.refused status=403 why="a foreign origin"\n']);
});

test("leaves out what is less than the level", () => {
  const entries = (["debug", "info", "warn", "error"] as const).map((level) => ({ level, event: level }));
  const told = logged("json", entries, "warn").map((line) => JSON.parse(line).level);
  expect(told).toEqual(["warn", "error"]);
});

test.each(["json", "readable"] as const)("masks secrets and lets nothing draw on a terminal: %s", (form) => {
  const told = "a drg_canary \u001b[2J\u202e\u009b1m\n \u{e0041} b";
  const [line = ""] = logged(form, [{ level: "info", event: "node.told", told, deep: { told } }]);
  expect(line).not.toContain("drg_canary");
  expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  if (form === "json") expect(JSON.parse(line).told).toBe(told.replace("drg_canary", "[redacted]"));
});
