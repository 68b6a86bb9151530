import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { besideIt, exampleProcesses } from "../testing/example-process.ts";
import { type Place, serveProcesses } from "../testing/serve-process.ts";

// What all examples do alike, whichever protocol they speak: of an input that ends, of Ctrl-C, and of answers that are given elsewhere.

const names = ["ui-client.mjs", "live-client.mjs", "studio-client.mjs"];
const example = exampleProcesses(...names);
const { place, launch } = serveProcesses();
const write = "write a file notes.txt with the text hello";
const isWritten = ({ workspace }: Place, name = "notes.txt") => existsSync(join(workspace, name));
/** What an uncaught error looks like. */
const aTrace = /\n {4}at |ERR_|AbortError|Uncaught/;

const onlySession = async (where: Place) => JSON.parse(await besideIt(where, "sessions", "--json"));

describe.each(names)("%s", (name) => {
  test("shows the whole question before it waits for a line", async () => {
    const { child, said, hears, code } = example(name, place(), write);
    await hears("y or n: ");
    expect(said.stderr.slice(said.stderr.indexOf("Write notes.txt?"))).toMatch(/\+hello\n.*y or n: $/s);
    child.stdin.write("y\n");
    expect(await code).toBe(0);
  });

  test("takes an input that has ended for a no, and says so once", async () => {
    const where = place();
    const { child, said, code, times } = example(name, where, write);
    child.stdin.end();
    expect([await code, isWritten(where)]).toEqual([0, false]);
    expect([said.stdout, times("(there is no more input, so that is a no)\n")]).toEqual([
      expect.stringContaining("You said no."),
      1,
    ]);
    expect(said.stderr).not.toMatch(aTrace);
  });

  test("keeps an answer that comes before its question", async () => {
    const where = place();
    const { child, said, code } = example(name, where, write);
    child.stdin.end("y\n");
    expect([await code, isWritten(where)]).toEqual([0, true]);
    expect(said.stderr).toContain("y or n: y\n");
  });

  test("takes an input that ends at a question for a no", async () => {
    const where = place();
    const { child, said, code, hears, times } = example(name, where, write);
    await hears("y or n: ");
    child.stdin.end();
    expect([await code, isWritten(where), times("so that is a no)")]).toEqual([0, false, 1]);
    expect(said.stderr).not.toMatch(aTrace);
  });

  test("cancels the run at Ctrl-C, and ends with a code that says so", async () => {
    const where = place();
    const { child, said, code, hears, times } = example(name, where, write);
    await hears("y or n: ");
    child.kill("SIGINT");
    expect([await code, isWritten(where), times("(cancelling; ")]).toEqual([1, false, 1]);
    expect(said.stderr).not.toMatch(aTrace);
    expect(await onlySession(where)).toMatchObject({ run: { status: "cancelled" } });
  });
});

describe.each(["live-client.mjs", "studio-client.mjs"])("%s with a server", (name) => {
  const serving = async () => {
    const where = place();
    const socket = join(where.workspace, "..", "live.sock");
    const server = await launch(where, ["--port", "0", "--live-socket", socket]).ready();
    const at = name.startsWith("live") ? ["--socket", socket] : ["--server", server.url, "--token", server.token];
    return { where, server, at };
  };

  test("goes on with the next question when one is answered elsewhere", async () => {
    const { where, at } = await serving();
    const prompt = "write a.txt with x, then write b.txt with y";
    const { child, said, code, hears, times } = example(name, where, ...at, prompt);
    await hears("y or n: ");
    const { sessionId } = await onlySession(where);
    await besideIt(where, "answer", sessionId, "yes");
    await hears("(that question is closed)");
    await hears("Write b.txt?");
    await vi.waitFor(() => expect(times("y or n: ")).toBe(2), 20_000);
    child.stdin.write("y\n");
    expect([await code, readFileSync(join(where.workspace, "b.txt"), "utf8").trim()]).toEqual([0, "y"]);
    expect([times("Write a.txt?"), times("Write b.txt?"), isWritten(where, "a.txt")]).toEqual([1, 1, true]);
    expect(said.stderr).not.toMatch(aTrace);
  });

  test("ends at once at a second Ctrl-C, also when the server does not answer", async () => {
    const { where, server, at } = await serving();
    const { child, code, hears } = example(name, where, ...at, write);
    await hears("y or n: ");
    server.child.kill("SIGSTOP");
    child.kill("SIGINT");
    await hears("(cancelling; ");
    child.kill("SIGINT");
    expect(await code).toBe(130);
  });

  test("says in one line what is wrong with the address", async () => {
    const { where, server } = await serving();
    const wrong = name.startsWith("live")
      ? [
          ["--socket", "/nowhere/at/all"],
          ["--url", "http://127.0.0.1:1"],
          ["--url", server.url],
        ]
      : [
          ["--server", "http://127.0.0.1:1"],
          ["--server", server.url, "--token", "drg_wrong"],
          ["--server", "nonsense"],
        ];
    for (const at of wrong) {
      const { said, code } = example(name, where, ...at, "hello");
      expect([at, await code, said.stdout]).toEqual([at, 1, ""]);
      expect([at, said.stderr]).toEqual([at, expect.stringMatching(/^[^\n]+\n$/)]);
    }
  });
});
