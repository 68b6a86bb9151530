import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { greet, stdioRuntimes } from "../testing/stdio-runtime.ts";
import type { WireMessage } from "../testing/ui-wire.ts";

// The bundled command on real pipes, as a UI starts it.

const { place, launch } = stdioRuntimes();

const typesOf = (events: WireMessage[]) => events.map(({ type }) => type);
const finalOf = (events: WireMessage[]) => events.findLast(({ type }) => type === "final")?.content;

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] !== "Z";
  } catch {
    return false;
  }
};

test("a whole session: handshake, a list, writes that ask, remember, a cancel, and the history in a new process", async () => {
  const where = place();
  const ui = launch(where);
  expect(await greet(ui)).toMatchObject({ protocol_version: "0", server: { name: "dragoman" } });

  const listed = await ui.run("List TypeScript files");
  expect(typesOf(listed)).toEqual(
    expect.arrayContaining(["step_start", "tool_call", "tool_result", "step_complete", "final"]),
  );
  expect(finalOf(listed)).toContain("src/main.ts");

  // Yes: the diff first, then that it is ready, then the status, then the question.
  const yes = await ui.start("write a file notes.txt with the text hello");
  const asked = await ui.confirmation(yes.run_id);
  expect(asked.params).toMatchObject({ title: "Write notes.txt?", allow_remember: true, allow_reason: true });
  const flow = ui.messages
    .filter((m) => m.params?.run_id === yes.run_id)
    .map((m) => m.params.event?.type ?? m.params.status ?? m.method)
    .slice(-4);
  expect(flow).toEqual(["permission.preview", "permission.ready", "awaiting_ui", "ui.confirm.request"]);
  expect(ui.eventsOf(yes.run_id).find(({ type }) => type === "permission.preview")).toMatchObject({
    tool: "write",
    file_path: "notes.txt",
    diff: expect.stringContaining("+hello"),
  });
  expect(existsSync(join(where.workspace, "notes.txt"))).toBe(false);
  ui.answer(asked.id, { ok: true });
  await ui.status(yes.run_id, "completed");
  expect(readFileSync(join(where.workspace, "notes.txt"), "utf8")).toBe("hello\n");

  // No, with a reason: it goes on with the reason. Without: the turn stops.
  for (const reason of ["wrong folder", undefined]) {
    const no = await ui.start("write a file no.txt with the text x, then list TypeScript files");
    ui.answer((await ui.confirmation(no.run_id)).id, { ok: false, reason });
    await ui.status(no.run_id, "completed");
    const events = ui.eventsOf(no.run_id);
    expect(events.find((event) => event.type === "tool_result")).toMatchObject({ tool: "write", is_error: true });
    expect(finalOf(events).includes("wrong folder")).toBe(reason !== undefined);
    expect(events.some((event) => event.type === "tool_call" && event.tool === "glob")).toBe(reason !== undefined);
    expect(existsSync(join(where.workspace, "no.txt"))).toBe(false);
  }

  // Remember: outside of the repository, for this user alone.
  const remembered = await ui.start("write a file a.txt with the text one");
  ui.answer((await ui.confirmation(remembered.run_id)).id, { ok: true, remember: true });
  await ui.status(remembered.run_id, "completed");
  const again = await ui.run("write a file b.txt with the text b");
  expect(typesOf(again)).not.toContain("permission.ready");
  expect(existsSync(join(where.workspace, "b.txt"))).toBe(true);
  const [rules = ""] = readdirSync(join(where.home, "workspaces")).filter((name) => name.endsWith(".json"));
  expect(statSync(join(where.home, "workspaces", rules)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(where.home, "workspaces", rules), "utf8"))).toMatchObject({
    allow: [{ tool: "write" }],
  });

  // A cancel in the middle of a long command: the whole group is gone, and nothing follows.
  const long = await ui.start("run `echo $$; sleep 1000 & echo $!; sleep 1000`");
  ui.answer((await ui.confirmation(long.run_id)).id, { ok: true });
  const pidsIn = () =>
    ui
      .eventsOf(long.run_id)
      .filter(({ type }) => type === "tool_output")
      .flatMap(({ content }) => content.match(/\d+/g) ?? [])
      .map(Number);
  await ui.until(() => pidsIn().length >= 2, "the pids of the command");
  const pids = pidsIn();
  expect(pids.map(isAlive)).toEqual([true, true]);
  const from = performance.now();
  expect(await ui.result("run.cancel", { run_id: long.run_id, reason: "too long" })).toEqual({
    ok: true,
    status: "running",
  });
  await ui.status(long.run_id, "cancelled");
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(performance.now() - from).toBeLessThan(5000);
  expect(await ui.result("run.cancel", { run_id: long.run_id })).toEqual({ ok: true, status: "cancelled" });
  expect(ui.messages.filter((m) => m.params?.run_id === long.run_id).at(-1)).toMatchObject({
    method: "run.status",
    params: { status: "cancelled", message: "too long" },
  });

  expect([await ui.end(), ui.stray, ui.stderr]).toEqual([0, [], ""]);

  // A new process: the list, the history as it was drawn, and the session goes on.
  const next = launch(where);
  await greet(next);
  const { sessions } = await next.result("session.list");
  expect(sessions).toMatchObject([{ session_id: yes.session_id, workspace_root: where.workspace }]);
  const history = await next.result("session.history", { session_id: yes.session_id, max_events: 10_000 });
  expect(history).toEqual({ runs: 7, events_sent: next.messages.filter((m) => m.method === "agent.event").length });
  expect(next.eventsOf(listed.length > 0 ? yes.run_id : "")).toEqual([
    { type: "hidden_user_message", content: "write a file notes.txt with the text hello" },
    ...ui.eventsOf(yes.run_id),
  ]);
  const resumed = await next.start("what can you do?", { session_id: yes.session_id });
  expect(resumed.session_id).toBe(yes.session_id);
  await next.status(resumed.run_id, "completed");
  expect([await next.end(), next.stray]).toEqual([0, []]);
});

describe("a UI that cannot confirm", () => {
  test("gets denials, and the run goes on", async () => {
    const where = place();
    const ui = launch(where);
    await greet(ui, {});
    const events = await ui.run("write a file notes.txt with the text hello");
    expect(events.find(({ type }) => type === "tool_result")).toMatchObject({ is_error: true });
    expect(existsSync(join(where.workspace, "notes.txt"))).toBe(false);
  });

  test("and one that draws no previews is shown the diff in the question", async () => {
    const ui = launch(place());
    await greet(ui, { supports_confirm: true });
    const { run_id } = await ui.start("write a file notes.txt with the text hello");
    expect((await ui.confirmation(run_id)).params.message).toContain("+hello");
  });
});

describe("bad input costs nothing but its error", () => {
  test("a line of 700 MB without an end: an error while it still comes, and less than 64 MB", {
    timeout: 120_000,
  }, async () => {
    const ui = launch(place());
    await greet(ui);
    await ui.result("session.list"); // everything is loaded
    const before = ui.peakMemory;
    const block = Buffer.alloc(1024 * 1024, "x");
    for (let sent = 0; sent < 700; sent++) {
      if (!ui.child.stdin.write(block)) await new Promise((resolve) => ui.child.stdin.once("drain", resolve));
    }
    const told = await ui.message((m) => m.id === null);
    expect(told.error).toMatchObject({ code: -32600, data: { code: "too_large" } });
    expect(ui.peakMemory - before).toBeLessThan(64 * 1024 * 1024);
    ui.send(""); // its end
    expect(finalOf(await ui.run("List TypeScript files"))).toContain("src/main.ts");
    expect(ui.messages.filter((m) => m.id === null)).toHaveLength(1);
  });

  test("stdin that ends in the middle of a line ends the runtime, with an error for the half", async () => {
    const ui = launch(place());
    await greet(ui);
    ui.child.stdin.end('{"jsonrpc":"2.0","id":"9","method":"run.st');
    expect(await ui.exit).toBe(0);
    expect(ui.messages.at(-1)).toMatchObject({ id: null, error: { code: -32700 } });
  });

  test("stdout that is closed ends the runtime, and the session has its end", async () => {
    const where = place();
    const ui = launch(where);
    await greet(ui);
    const { session_id } = await ui.start("List TypeScript files");
    ui.child.stdout.destroy();
    for (let at = 0; at < 20; at++) ui.send({ jsonrpc: "2.0", id: String(at), method: "mcp.list" });
    expect(await ui.exit).toBe(0);
    const next = launch(where);
    const { sessions } = await next.result("session.list");
    expect(sessions).toMatchObject([{ session_id, status: "completed" }]);
  });

  test("a workspace that vanishes fails what needs it, and comes back with it", async () => {
    const where = place();
    const ui = launch(where);
    await greet(ui);
    await ui.run("List TypeScript files");
    renameSync(where.workspace, `${where.workspace}-away`);
    const gone = await ui.start("List TypeScript files");
    await ui.status(gone.run_id, "completed", "error");
    expect(JSON.stringify(ui.messages.filter((m) => m.params?.run_id === gone.run_id))).toContain("is gone");
    expect(await ui.call("workspace.list")).toMatchObject({ error: { data: { code: "tool_failed" } } });
    renameSync(`${where.workspace}-away`, where.workspace);
    expect(finalOf(await ui.run("List TypeScript files"))).toContain("src/main.ts");
  });

  test("a UI that asks and asks and reads nothing costs a bounded amount, and gets every answer when it reads", async () => {
    const ui = launch(place());
    await greet(ui);
    await ui.result("session.list");
    const before = ui.peakMemory;
    ui.child.stdout.pause();
    const asked = 100_000; // their answers are more than 30 MB
    const params = { protocol_version: "0", client: { name: "test", version: "1" } };
    for (let at = 0; at < asked; at++) ui.send({ jsonrpc: "2.0", id: `many-${at}`, method: "initialize", params });
    await stalled(() => ui.child.stdin.writableLength);
    expect(ui.child.stdin.writableLength).toBeGreaterThan(0);
    expect(ui.peakMemory - before).toBeLessThan(64 * 1024 * 1024);
    ui.child.stdout.resume();
    await ui.message((m) => m.id === `many-${asked - 1}`, "the last answer");
    expect(ui.messages.filter((m) => String(m.id).startsWith("many-"))).toHaveLength(asked);
  });
});

/** Resolves when a figure no longer changes. */
async function stalled(figure: () => number): Promise<void> {
  let [last, since] = [figure(), performance.now()];
  while (performance.now() - since < 300) {
    await new Promise((resolve) => setImmediate(resolve));
    if (figure() !== last) [last, since] = [figure(), performance.now()];
  }
}

describe("what is read for lists", () => {
  test("the skills of the repository, what is wrong with others, and the servers that are configured", async () => {
    const where = place();
    const skills = join(where.workspace, ".agents", "skills");
    mkdirSync(join(skills, "release"), { recursive: true });
    writeFileSync(join(skills, "release", "SKILL.md"), "---\nname: release\ndescription: How we release.\n---\n");
    mkdirSync(join(skills, "broken"), { recursive: true });
    writeFileSync(join(skills, "broken", "SKILL.md"), "no front matter");
    const servers = { docs: { transport: "http", url: "http://127.0.0.1:9/mcp" } };
    writeFileSync(join(where.workspace, "dragoman.json"), JSON.stringify({ mcp: { servers } }));
    const ui = launch(where);
    const { skills: found, errors, truncated } = await ui.result("skills.list");
    expect(found.filter(({ scope }: WireMessage) => scope === "repo")).toEqual([
      {
        id: expect.any(String),
        name: "release",
        description: "How we release.",
        path: join(skills, "release", "SKILL.md"),
        dir: join(skills, "release"),
        scope: "repo",
        mtime_ms: expect.any(Number),
      },
    ]);
    expect(errors).toEqual([{ path: join(skills, "broken", "SKILL.md"), message: expect.any(String) }]);
    expect(truncated).toBe(false);
    expect(await ui.result("mcp.list", { scope: "configured" })).toEqual({
      servers: [
        {
          id: "docs",
          transport: "http",
          source: "project",
          enabled: false,
          state: "disabled",
          last_error: expect.stringContaining("dragoman trust"),
        },
      ],
    });
  });

  test("the workspace, which nothing leads out of", async () => {
    const ui = launch(place());
    expect(await ui.result("workspace.list", { path: "src" })).toMatchObject({
      entries: [{ path: "src/main.ts", type: "file" }],
      truncated: false,
    });
    expect(await ui.result("workspace.read", { path: "src/main.ts" })).toMatchObject({
      content: "export const answer = 42;\n",
      total_lines: 1,
    });
    expect(await ui.result("workspace.search", { query: "ANSWER" })).toMatchObject({
      matches: [{ path: "src/main.ts", line: 1, column: 14, text: "export const answer = 42;" }],
    });
    for (const path of ["..", "/etc/passwd", "src/../../x"]) {
      expect(await ui.call("workspace.read", { path })).toMatchObject({ error: { data: { code: "forbidden" } } });
    }
  });

  test("artifacts, the plan and the export of a session", async () => {
    const where = place();
    writeFileSync(join(where.workspace, "large.txt"), `${"äöü".repeat(30)}\n`.repeat(2000));
    const ui = launch(where);
    await greet(ui);
    const { run_id } = await ui.start("read large.txt and then List TypeScript files");
    await ui.status(run_id, "completed");
    const { artifacts } = await ui.result("artifact.list");
    expect(artifacts.length).toBeGreaterThan(0);
    const [artifact] = artifacts;
    let [content, offset] = ["", 0 as number | undefined];
    while (offset !== undefined) {
      const page = await ui.result("artifact.read", { artifact_id: artifact.artifact_id, offset, limit: 1001 });
      expect(page.encoding).toBe("utf8");
      content += page.content;
      offset = page.next_offset;
    }
    expect(Buffer.byteLength(content)).toBe(artifact.bytes);
    const { todos } = await ui.result("todos.list");
    expect(todos.map(({ status }: WireMessage) => status)).toEqual(["completed", "completed"]);
    const exported = await ui.result("history.export");
    const lines = exported.content
      .trim()
      .split("\n")
      .map((line: string) => JSON.parse(line));
    expect(lines.map(({ seq }: WireMessage) => seq)).toEqual(lines.map((_: unknown, at: number) => at + 1));
    const pages: string[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: WireMessage = await ui.result("history.export", { format: "markdown", after, limit: 3 });
      pages.push(page.content);
      after = page.next_after;
    }
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.join("")).toBe((await ui.result("history.export", { format: "markdown" })).content);
  });
});

test("a secret of the environment is found in no log, on no wire, in no child's environment", async () => {
  const where = place();
  const canary = "canary-5f1e0c77a9";
  const ui = launch(where, { ACME_API_TOKEN: canary, DRAGOMAN_TEST_NOTE: "x" });
  await greet(ui);
  const { run_id } = await ui.start("run `env; echo ACME=$ACME_API_TOKEN`");
  ui.answer((await ui.confirmation(run_id)).id, { ok: true });
  await ui.status(run_id, "completed");
  const said = await ui.run(`search for ${canary}`);
  expect(JSON.stringify(ui.eventsOf(run_id))).toContain("PATH=");
  expect(said.length).toBeGreaterThan(0);
  await ui.end();
  const files = readdirSync(where.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const stored = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1"));
  for (const text of [JSON.stringify(ui.messages), ui.stderr, ...stored]) expect(text).not.toContain(canary);
});
