import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ToolContext, ToolIO } from "../core/tool.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { unsupervised } from "./process-run.ts";
import { shell } from "./shell.ts";

const folder = temporaryFolder();
let context: ToolContext;
let shown: string;
let kill: (() => void | Promise<void>) | undefined;
let stop: AbortController;

beforeEach(() => {
  context = { workspace: realpathSync(mkdtempSync(join(folder.path, "w-"))), trusted: true };
  shown = "";
  kill = undefined;
  stop = new AbortController();
});

const io = (): ToolIO => ({
  signal: stop.signal,
  output: async (text) => {
    shown += text;
  },
  onKill: (given) => {
    kill = given;
    return () => {
      kill = undefined;
    };
  },
  supervise: unsupervised,
});

const run = async (command: string, timeoutMs = 60_000) =>
  (await shell.run({ command, timeoutMs }, context, io())).result;
const file = (name: string) => join(context.workspace, name);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process that has ended and that nobody has asked about yet is not alive.
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "latin1") : "";
  return !/\) Z /.test(stat);
}

/** The ids that a command has written down, one in a line. */
async function pidsIn(name: string, count: number): Promise<number[]> {
  return vi.waitFor(
    () => {
      const pids = readFileSync(file(name), "utf8").split("\n").slice(0, -1).map(Number);
      expect(pids.length).toBe(count);
      return pids;
    },
    { timeout: 10_000 },
  );
}

const allGone = (pids: number[]) => vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 5000 });

test("gives the output of both pipes and the exit code, and shows it while it comes", async () => {
  expect(await run("echo out; echo err >&2; pwd; exit 3")).toEqual({
    exitCode: 3,
    output: expect.stringContaining(context.workspace),
    truncated: false,
    timedOut: false,
    durationMs: expect.any(Number),
  });
  expect(shown).toContain("out\n");
  expect(shown).toContain("err\n");
});

test("is read by bash, without anybody's profile, with no input", async () => {
  process.env.BASH_ENV = file("evil.sh");
  writeFileSync(file("evil.sh"), "echo evil");
  try {
    expect(await run("cat; [[ a == a ]] && echo {1..3}")).toMatchObject({ exitCode: 0, output: "1 2 3\n" });
    expect(await run("-x")).toMatchObject({ exitCode: 127 });
  } finally {
    delete process.env.BASH_ENV;
  }
});

test("a command does not see our secrets", async () => {
  process.env.CANARY_TOKEN = "canary-value";
  try {
    const { output } = (await run("env; cat /proc/self/environ | tr '\\0' '\\n'")) as { output: string };
    expect(output).not.toContain("canary-value");
    expect(output).toContain("PAGER=cat");
  } finally {
    delete process.env.CANARY_TOKEN;
  }
});

test("shows output as it comes, before the command has ended", async () => {
  const running = run(`echo first; while [ ! -e go ]; do sleep 0.02; done; echo second`);
  await vi.waitFor(() => expect(shown).toBe("first\n"), { timeout: 10_000 });
  writeFileSync(file("go"), "");
  expect(await running).toMatchObject({ exitCode: 0, output: "first\nsecond\n" });
  expect(shown).toBe("first\nsecond\n");
});

test("much output is cut in the middle, and costs no more than is kept", async () => {
  const { output, truncated } = (await run("echo BEGIN; yes 0123456789 | head -c 5000000; echo END")) as {
    output: string;
    truncated: boolean;
  };
  expect(truncated).toBe(true);
  expect(output.length).toBeLessThan(66_000);
  expect(output.startsWith("BEGIN\n")).toBe(true);
  expect(output.endsWith("END\n")).toBe(true);
  expect(shown.length).toBeLessThan(1024 * 1024 + 200);
});

test("a signal that ended it is told", async () => {
  expect(await run("kill -KILL $$")).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: false });
});

describe("nothing is left of it", () => {
  test("after a time-out, with everything that it started", async () => {
    const running = run("echo $$ > p; sleep 1000 & echo $! >> p; sleep 1000", 500);
    const pids = await pidsIn("p", 2);
    expect(await running).toMatchObject({ exitCode: null, signal: "SIGTERM", timedOut: true });
    await allGone(pids);
  });

  test("after a time-out that it would not hear of", async () => {
    const running = run("trap '' TERM; echo $$ > p; echo told; while :; do sleep 0.1; done", 500);
    const pids = await pidsIn("p", 1);
    expect(await running).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: true, output: "told\n" });
    await allGone(pids);
  });

  test("after a cancel", async () => {
    const running = run("echo $$ > p; sleep 1000 & echo $! >> p; sleep 1000");
    const pids = await pidsIn("p", 2);
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    await allGone(pids);
  });

  test("after a kill, at once", async () => {
    const running = run("trap '' TERM; echo $$ > p; sleep 1000 & echo $! >> p; wait; sleep 1000");
    const pids = await pidsIn("p", 2);
    const started = performance.now();
    await kill?.();
    expect(await running).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: false });
    expect(performance.now() - started).toBeLessThan(2000);
    await allGone(pids);
  });

  test("when it leaves something in the background that holds its pipes", async () => {
    const result = await run("sleep 1000 & echo $! > p; echo done");
    expect(result).toMatchObject({ exitCode: 0, output: "done\n", timedOut: false });
    await allGone(await pidsIn("p", 1));
  });

  test("when it leaves something in the background that has let go of them", async () => {
    await run("sleep 1000 >/dev/null 2>&1 & echo $! > p");
    await allGone(await pidsIn("p", 1));
  });

  test.runIf(process.platform === "linux")("after a cancel, when it hid in a session of its own", async () => {
    const running = run("setsid env -i /bin/sh -c 'echo $$ > p; exec /bin/sleep 1000' & wait");
    const pids = await pidsIn("p", 1);
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    await allGone(pids);
  });

  test.runIf(process.platform === "linux")("when it made a session of its own", async () => {
    await run("setsid sh -c 'echo $$ > p; exec sleep 1000' & while [ ! -s p ]; do sleep 0.02; done");
    await allGone(await pidsIn("p", 1));
  });

  test.runIf(process.platform === "linux")("when it made a session of its own and its parent is gone", async () => {
    await run("(setsid sh -c 'echo $$ > p; exec sleep 1000' >/dev/null 2>&1 &); while [ ! -s p ]; do sleep 0.02; done");
    await allGone(await pidsIn("p", 1));
  });
});

test("a cancel before it starts runs nothing", async () => {
  stop.abort();
  await expect(run("touch canary")).rejects.toMatchObject({ code: "cancelled" });
  expect(existsSync(file("canary"))).toBe(false);
});

test("a workspace that is gone is said to be", async () => {
  rmSync(context.workspace, { recursive: true });
  const gone = { code: "tool_failed", message: expect.stringContaining("is gone") };
  await expect(run("ls")).rejects.toMatchObject(gone);
  await expect(shell.intent({ command: "ls", timeoutMs: 1 }, context)).rejects.toMatchObject(gone);
});

test("arguments that cannot work are refused", () => {
  const refused = [
    {},
    { command: "" },
    { command: " \n" },
    { command: "a\0b" },
    { command: "a", timeoutMs: 0 },
    { command: "a", timeoutMs: 600_001 },
  ];
  expect(refused.filter((args) => shell.args.safeParse(args).success)).toEqual([]);
  expect(shell.args.parse({ command: "ls" })).toEqual({ command: "ls", timeoutMs: 120_000 });
});

describe("what a command would do", () => {
  const intent = (command: string) => shell.intent({ command, timeoutMs: 1000 }, context);
  const targets = async (command: string) =>
    (await intent(command)).targets.map(({ path, outside, control, writes }) => ({ path, outside, control, writes }));

  beforeEach(() => {
    mkdirSync(file("sub"));
    writeFileSync(file("dragoman.json"), "{}");
    symlinkSync("/etc", file("link"));
  });
  afterEach(() => rmSync(context.workspace, { recursive: true, force: true }));

  test("has a short title, and the whole command as its detail", async () => {
    expect(await intent("npm  test\n")).toEqual({
      title: "Run npm test",
      detail: "npm  test\n",
      targets: [],
      command: { text: "npm  test\n", segments: [{ text: "npm  test", words: ["npm", "test"] }] },
    });
    const { title } = await intent(`echo ${"x".repeat(200)}`);
    expect(title).toBe(`Run echo ${"x".repeat(70)}…`);
  });

  test.each([
    ["cat /etc/passwd", "/etc/passwd", false],
    ["cat link/passwd", "/etc/passwd", false],
    ["cat link/*", "/etc/*", false],
    ["gcc -I/usr/include x.c", "/usr/include", true],
    ["foo --file=/etc/x", "/etc/x", true],
    ["foo --mount type=bind,source=/etc/x", "/etc/x", true],
    ["foo file:///etc/x", "/etc/x", true],
    ["echo x > /tmp/x", "/tmp/x", true],
    ["cd /etc", "/etc", false],
    ["sudo tee /etc/x", "/etc/x", true],
    ["sh -c 'ls > /etc/x'", "/etc/x", true],
  ])("%j leaves the workspace", async (command, path, writes) => {
    expect(await targets(command)).toContainEqual({ path, outside: true, control: false, writes });
  });

  test.each([
    ["tee dragoman.json", "dragoman.json"],
    ["echo x > dragoman.json", "dragoman.json"],
    ["cd sub && tee ../dragoman.json", "dragoman.json"],
    ["cp x .git/hooks/pre-commit", ".git/hooks/pre-commit"],
    ["dd of=dragoman.json", "dragoman.json"],
  ])("%j reaches a control file", async (command, path) => {
    expect(await targets(command)).toContainEqual({ path, outside: false, control: true, writes: true });
  });

  test.each([
    "/bin/ls sub",
    "ls > /dev/null",
    "curl https://example.com/etc/passwd",
    "echo /etc/passwd",
    "grep /etc/passwd sub",
    "sed -n '/a/p' sub/x",
    "git log HEAD~1..HEAD -- sub",
    "git push origin feature/x",
    "npm run build:all -- --port=3000",
  ])("%j stays inside", async (command) => {
    expect(await targets(command)).toEqual([]);
  });

  test("a line with too many names is asked about", async () => {
    const { command } = await intent(`ls ${Array.from({ length: 400 }, (_, at) => `f${at}`).join(" ")}`);
    expect(command?.problem).toBe("it names too many files to look at each");
  });
});
