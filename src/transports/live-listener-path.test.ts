import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { listenAtPath } from "./live-listener-path.ts";

// Where a Unix socket is put: real files, and real processes that left some.

const folder = temporaryFolder();
const servers: Server[] = [];
let at = "";
let path = "";
let folders = 0;

beforeEach(() => {
  at = join(folder.path, `f${folders++}`);
  mkdirSync(at);
  path = join(at, "live.sock");
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** One that says its name to whoever connects. */
async function listen(name: string, place = path) {
  const server = createServer((socket) => socket.end(name));
  const listening = await listenAtPath(server, place);
  servers.push(server);
  const close = async () => {
    listening.remove();
    servers.splice(servers.indexOf(server), 1);
    await new Promise((resolve) => server.close(resolve));
  };
  return { ...listening, close };
}

async function answerAt(place = path): Promise<string> {
  let heard = "";
  for await (const text of connect(place).setEncoding("utf8")) heard += text;
  return heard;
}

const program = `require("node:net").createServer().listen(process.argv[1], () => process.stdout.write("listens"))`;

/** Another process that listens there, without our care. */
async function otherProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", program, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

test("a socket is this user's alone, whatever the mask, and nothing is left of it in the end", async () => {
  const before = process.umask(0);
  try {
    const { path: whole, close } = await listen("first");
    expect([whole, lstatSync(path).mode & 0o777, lstatSync(path).isSocket()]).toEqual([path, 0o600, true]);
    expect([await answerAt(), readdirSync(at), process.umask()]).toEqual(["first", ["live.sock"], 0]);
    await close();
    expect(readdirSync(at)).toEqual([]);
  } finally {
    process.umask(before);
  }
});

test("what a server left that was killed is replaced", async () => {
  await killed(await otherProcess());
  expect(lstatSync(path).isSocket()).toBe(true);
  await listen("second");
  expect([await answerAt(), readdirSync(at), lstatSync(path).mode & 0o777]).toEqual(["second", ["live.sock"], 0o600]);
});

test("one that is alive is refused, with what to do, and goes on", async () => {
  const child = await otherProcess();
  const there = lstatSync(path).ino;
  await expect(listen("second")).rejects.toMatchObject({
    code: "conflict",
    message: `Another program listens at ${path} already. End it first, or give another --live-socket.`,
  });
  expect([lstatSync(path).ino, readdirSync(at)]).toEqual([there, ["live.sock"]]);
  await killed(child);
});

test("who ends does not take away the socket of a later one", async () => {
  const first = await listen("first");
  rmSync(path); // by someone who thought that it was left over
  await listen("second");
  await first.close();
  expect(await answerAt()).toBe("second");
});

test("what is no socket is left as it is: a file, a folder, a link to a socket of another", async () => {
  writeFileSync(path, "mine");
  const refusal = {
    code: "precondition_failed",
    message: `Cannot listen at ${path}: something else is there, which is left as it is. Give another --live-socket.`,
  };
  await expect(listen("x")).rejects.toMatchObject(refusal);
  expect(readFileSync(path, "utf8")).toBe("mine");
  rmSync(path);
  mkdirSync(path);
  await expect(listen("x")).rejects.toMatchObject(refusal);
  rmSync(path, { recursive: true });
  await killed(await otherProcess());
  renameSync(path, join(at, "other.sock"));
  symlinkSync(join(at, "other.sock"), path);
  await expect(listen("x")).rejects.toMatchObject(refusal);
  expect([lstatSync(path).isSymbolicLink(), existsSync(join(at, "other.sock"))]).toEqual([true, true]);
});

test("a path that the system would cut is refused with its length, one that just fits is not", async () => {
  const suffix = "~123abc".length; // of the name that it is bound by
  const most = (process.platform === "darwin" ? 103 : 107) - suffix;
  const room = most - Buffer.byteLength(join(at, "é")) - "é".length;
  const fits = join(at, `é${"x".repeat(room + 1)}`);
  expect(Buffer.byteLength(fits)).toBe(most);
  await listen("fits", fits);
  expect(await answerAt(fits)).toBe("fits");
  await expect(listen("long", `${fits}y`)).rejects.toMatchObject({
    code: "invalid_params",
    message: `${fits}y has ${most + 1} bytes, and a socket's path at most ${most}. Give a shorter --live-socket.`,
  });
});

test("a folder that is not there is told, by the path that was given", async () => {
  const inNone = join(at, "no", "live.sock");
  await expect(listen("x", inNone)).rejects.toMatchObject({
    code: "precondition_failed",
    message: `Cannot listen at ${inNone}: there is no folder ${join(at, "no")}. Give another --live-socket.`,
  });
  writeFileSync(join(at, "file"), "");
  const inFile = join(at, "file", "live.sock");
  await expect(listen("x", inFile)).rejects.toMatchObject({
    message: `Cannot listen at ${inFile}: there is no folder ${join(at, "file")}. Give another --live-socket.`,
  });
});

test("of two that start at once where a server left its socket one has it, and the other is told", async () => {
  await killed(await otherProcess());
  const both = await Promise.allSettled([listen("one"), listen("two")]);
  const refused = both.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  expect(refused).toEqual(["conflict"]);
  expect([await answerAt(), readdirSync(at)]).toEqual([both[0].status === "fulfilled" ? "one" : "two", ["live.sock"]]);
});
