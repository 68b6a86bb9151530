import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startOf, thisHost } from "../core/process-identity.ts";
import { newMark } from "../core/process-mark.ts";
import type { ProcessRecord } from "../core/process-records.ts";
import { Leavings } from "../testing/leavings.ts";
import { until } from "../testing/scripted.ts";
import { MARK } from "./process-descendants.ts";
import { endLeftovers } from "./process-leftovers.ts";
import { endMarkedGroups } from "./process-marked-groups.ts";
import { processRow } from "./process-table.ts";

const at = new Leavings();

/** Somebody else's, in a session of its own. */
function bystander(env: Record<string, string> = {}): { pid: number; isAlive(): boolean } {
  const pid = at.spawn("sleep", [at.nap], { detached: true, env });
  return { pid, isAlive: () => startOf(pid) !== undefined };
}

const recordOf = (some: Partial<ProcessRecord>): ProcessRecord => {
  return { mark: newMark(), node: "lost", sessionId: "s", runId: "r", title: "sleep", host: thisHost(), ...some };
};

/** For `sh -c`, in single quotes; and in double quotes within those. */
const noted = "echo $$ >> p; exec /bin/sleep";
const notedWithin = "echo \\$\\$ >> p; exec /bin/sleep";

describe.runIf(process.platform === "linux")("of what a lost node started, nothing is left", () => {
  test.each<[string, number, (nap: string) => string]>([
    ["in the background", 3, (n) => `echo $$ >> p; sleep ${n} & echo $! >> p; sleep ${n} & echo $! >> p; wait`],
    ["with a session of its own", 1, (n) => `setsid sh -c '${noted} ${n}' & wait`],
    ["with a cleaned environment", 1, (n) => `env -i /bin/sh -c '${noted} ${n}' & wait`],
    ["with both", 1, (n) => `setsid env -i /bin/sh -c '${noted} ${n}' & wait`],
    [
      "as a daemon, whose parents are gone",
      1,
      (n) => `(setsid sh -c '(sh -c "${notedWithin} ${n}" >/dev/null 2>&1 &)' &); sleep ${n}`,
    ],
    ["and stopped", 1, (n) => `sh -c 'echo $$ >> p; kill -STOP $$; sleep ${n}' & wait`],
    ["and stopped with everything", 1, (n) => `sleep ${n} & echo $$ >> p; kill -STOP $$`],
    [
      "that will not hear of it",
      1,
      (n) => `sh -c 'trap "" TERM HUP; echo $$ >> p; while :; do sleep ${n}; done' & wait`,
    ],
    ["and that keeps starting others", 4, (n) => `while :; do sleep ${n} & echo $! >> p; sleep 0.01; done`],
    [
      "and that keeps starting others in disguise",
      4,
      (n) => `sh -c 'while :; do setsid env -i /bin/sh -c "${notedWithin} ${n}" & sleep 0.01; done' & wait`,
    ],
    [
      "and that starts another when it is asked to end",
      1,
      (n) =>
        `setsid sh -c 'trap "(env -i /bin/sleep ${n} &); exit" TERM; echo $$ >> p; while :; do sleep 0.01; done' & wait`,
    ],
  ])("%s", async (_, count, command) => {
    const other = bystander({ [MARK]: newMark() });
    const lost = await at.lose(command(at.nap), count);
    const ended = await endLeftovers([lost]);
    expect(at.napping()).toEqual([other.pid]);
    expect(ended).toEqual([{ mark: lost.mark, title: lost.title, pids: expect.any(Array), left: [] }]);
    expect(ended[0]?.pids).toEqual(expect.arrayContaining([lost.pid, ...at.pids.slice(0, count)]));
  });

  test("when the first process ended after the node, and the others show no mark", async () => {
    const lost = await at.lose(`env -i /bin/sh -c '${noted} ${at.nap}' & while kill -0 $PPID; do sleep 0.01; done`, 1);
    await until(() => startOf(lost.pid ?? 0) === undefined, "the end of the shell");
    expect(await endLeftovers([lost])).toEqual([{ mark: lost.mark, title: lost.title, pids: at.pids, left: [] }]);
    expect(at.napping()).toEqual([]);
  });

  test("when it was lost before the pid was recorded", async () => {
    const command = `echo $$ >> p; setsid sleep ${at.nap} & sleep ${at.nap}`;
    const node = await at.node(command, 1, "before the pid is recorded");
    expect(node.record().pid).toBeUndefined();
    const [ended] = await endLeftovers([node.record()]);
    expect(ended?.pids).toEqual(expect.arrayContaining(at.pids));
    expect(at.napping()).toEqual([]);
  });

  test("when it only stands still, and it goes on without it", async () => {
    const node = await at.node(`echo $$ >> p; sleep ${at.nap} & wait`, 1);
    node.child.kill("SIGSTOP");
    const [ended] = await endLeftovers([node.record()]);
    expect(ended?.pids).toEqual(expect.arrayContaining(at.pids));
    expect(at.napping()).toEqual([node.child.pid]);
    const exited = once(node.child, "exit");
    node.child.kill("SIGCONT");
    expect(await exited).toEqual([0, null]);
  });

  test("of several at once, each told by itself", async () => {
    const one = await at.lose(`echo $$ >> p; sleep ${at.nap} & wait`, 1);
    const two = await at.lose(`echo $$ >> p; : two; sleep ${at.nap} & wait`, 2);
    const ended = await endLeftovers([one, two]);
    expect(ended.map(({ mark, title }) => ({ mark, title }))).toEqual(
      [one, two].map(({ mark, title }) => ({ mark, title })),
    );
    expect(ended.map(({ pids }) => pids.length)).toEqual([2, 2]);
    expect(at.napping()).toEqual([]);
  });

  test.each([
    ["", ":"],
    [", also when it was stopped", "kill -STOP $$"],
  ])("but it may tidy up before%s", async (_, stop) => {
    // Nobody hears it any more, and a word of the shell's own about what is ended would be its last.
    const command = `exec >/dev/null 2>&1; trap 'echo bye > bye; exit' TERM; echo $$ >> p; ${stop}; while :; do sleep 0.01; done`;
    expect(await endLeftovers([await at.lose(command, 1)])).toHaveLength(1);
    expect(at.lines("bye")).toEqual(["bye"]);
  });
});

describe.runIf(process.platform === "linux")("nothing else is ended", () => {
  test("when nothing was started", async () => {
    const other = bystander();
    const node = await at.node(`sleep ${at.nap}`, 0, "before it is started");
    expect(await endLeftovers([node.record()])).toEqual([]);
    expect(other.isAlive()).toBe(true);
  });

  test("when there is nothing any more", async () => {
    const other = bystander();
    const lost = await at.lose(`sleep ${at.nap} & echo $$ >> p; wait`, 1);
    await endLeftovers([lost]);
    expect(await endLeftovers([lost])).toEqual([]);
    expect(other.isAlive()).toBe(true);
  });

  test("that got the number of a process that is gone", async () => {
    const { pid, isAlive } = bystander();
    const before = String(Number(startOf(pid)) - 1);
    const records = [recordOf({ pid, startedAt: before }), recordOf({ pid, startedAt: "1" })];
    expect(await endLeftovers(records)).toEqual([]);
    expect(isAlive()).toBe(true);
  });

  test("whose number is all that is known of it", async () => {
    const { pid, isAlive } = bystander();
    expect(await endLeftovers([recordOf({ pid, startedAt: "", mark: randomUUID() })])).toEqual([]);
    expect(await endLeftovers([recordOf({ pid, mark: `${randomUUID()}.1000000000` })])).toEqual([]);
    expect(isAlive()).toBe(true);
  });

  test("in a session whose leader, now gone, may have got the number later", async () => {
    const leader = at.spawn("sh", ["-c", `sleep ${at.nap} & exit`], { detached: true });
    await until(() => processRow(leader) === undefined, "the end of the leader");
    await until(() => at.napping().length === 1, "the member, which is still a shell for a moment");
    const [member = 0] = at.napping();
    const record = recordOf({ pid: leader, startedAt: startOf(member), mark: randomUUID() });
    expect(await endLeftovers([record])).toEqual([]);
    expect(at.napping()).toEqual([member]);
  });

  test("on another machine, or since this one was started again", async () => {
    const mark = newMark();
    const { pid, isAlive } = bystander({ [MARK]: mark });
    const record = recordOf({ mark, pid, startedAt: startOf(pid), host: `another ${thisHost()}` });
    expect(await endLeftovers([record])).toEqual([]);
    expect(isAlive()).toBe(true);
  });

  test("that carries another mark, or one that only begins the same", async () => {
    const mark = newMark();
    const others = [bystander({ [MARK]: newMark() }), bystander({ [MARK]: `${mark}0` }), bystander({ OTHER: mark })];
    expect(await endLeftovers([recordOf({ mark })])).toEqual([]);
    expect(others.map((other) => other.isAlive())).toEqual([true, true, true]);
  });

  test("that is ourselves, or started by us", async () => {
    const own = at.spawn("sleep", [at.nap]);
    expect(await endLeftovers([recordOf({ pid: process.pid, startedAt: startOf(process.pid) })])).toEqual([]);
    expect(at.napping()).toEqual([own]);
  });

  test("by one that was left itself: it spares what it comes from and what it started", async () => {
    const takeOver = `'${process.execPath}' '${at.script}' end record.json answer.json ${at.nap}`;
    const lost = await at.lose(`sleep ${at.nap} & echo $! >> p; ${takeOver}; sleep ${at.nap}`, 1);
    writeFileSync(at.file("record.json"), JSON.stringify(lost));
    await until(() => existsSync(at.file("answer.json")), "the answer");
    const { ended, own } = JSON.parse(readFileSync(at.file("answer.json"), "utf8"));
    expect(ended).toEqual([{ mark: lost.mark, title: lost.title, pids: at.pids, left: [] }]);
    expect(startOf(lost.pid ?? 0)).toBe(lost.startedAt);
    expect(startOf(own)).toBeDefined();
    await endLeftovers([lost]);
    expect(at.napping()).toEqual([]);
  });
});

describe.runIf(process.platform === "linux")("where only ps tells", () => {
  test("a group is ended whose leader shows the mark", async () => {
    const mark = newMark();
    const other = bystander();
    const leader = bystander({ [MARK]: mark });
    const records = [recordOf({ mark, pid: leader.pid }), recordOf({ pid: other.pid }), recordOf({ mark, pid: 1 })];
    expect(await endMarkedGroups(records)).toEqual([{ mark, title: "sleep", pids: [leader.pid], left: [] }]);
    await until(() => !leader.isAlive(), "the end of the group");
    expect(other.isAlive()).toBe(true);
  });

  test("a process that leads no group is not", async () => {
    const mark = newMark();
    const pid = at.spawn("sleep", [at.nap], { env: { [MARK]: mark } });
    expect(await endMarkedGroups([recordOf({ mark, pid })])).toEqual([]);
    expect(at.napping()).toEqual([pid]);
  });
});
