import { afterEach, describe, expect, test, vi } from "vitest";
import { connectLive } from "./live/index.ts";
import { connectStudio } from "./studio/index.ts";
import { UiClient } from "./ui/index.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not rejected"),
    ({ code, message }) => [code, message.replace("There is nothing to connect to: ", "")],
  );

const client = { name: "test", version: "1" };
const about = { clientName: "test", clientVersion: "1" };
// What a program in JavaScript may well say.
const live = (target: unknown) => reason(connectLive(target as object));
const studio = (target: unknown) => reason(connectStudio(about, target as object));
const spawn = (options: object) => reason(UiClient.spawn({ client, ...options }));
const connect = (options: object) => reason(UiClient.connect({ client, ...options } as never));

const started =
  "say where a server is by url, socketPath, port, connect, or what to start by command, args, cwd, env, closeMs";

describe("a target that is none is said to be, and starts nothing", () => {
  test.each([
    [{ sockPath: "/x" }, `"sockPath" is of no use here; ${started}`],
    [{ token: "drg_x" }, `"token" is of no use here; ${started}`],
    [{ socketPath: "/x", port: 1, token: "t" }, '"socketPath" and "port" are two targets; give one of them'],
    [{ url: "http://x", command: "y" }, '"url" and "command" are two targets; give one of them'],
    [{ url: "http://x", tokn: "t" }, '"tokn" is of no use beside "url"; of use are token, WebSocket, fetch'],
    [{ socketPath: "/x", token: "t" }, '"token" is of no use beside "socketPath"; of use are no others'],
    [{ port: 1 }, '"token" has no value; give it one'],
    [{ url: undefined }, '"url" has no value; give it one'],
    ["http://x", "that is no object; write { url }, for example"],
    [null, "that is no object; write { url }, for example"],
  ])("live: %j", async (target, message) => {
    expect(await live(target)).toEqual(["INVALID", message]);
  });

  test.each([
    [
      { socketPath: "/x" },
      '"socketPath" is of no use here; say where a server is by url, input, or what to start by command, args, cwd, env, closeMs',
    ],
    [{ url: "http://x", input: process.stdin }, '"url" and "input" are two targets; give one of them'],
    [{ input: process.stdin }, '"output" has no value; give it one'],
  ])("studio", async (target, message) => {
    expect(await studio(target)).toEqual(["invalid", message]);
  });

  test("ui", async () => {
    expect(await spawn({ comand: "x" })).toEqual(["invalid", expect.stringContaining('"comand" is of no use here')]);
    expect(await connect({})).toEqual(["invalid", '"url" has no value; give it one']);
    expect(await connect({ url: "http://x", command: "y" })).toEqual([
      "invalid",
      expect.stringContaining("two targets"),
    ]);
    expect(await connect({ url: "http://x", sesion: "s" })).toEqual(["invalid", expect.stringContaining('"sesion"')]);
  });
});

test("what only Node has is said to be so where there is none", async () => {
  vi.stubGlobal("process", undefined);
  const text = "only in Node can a runtime be started, or a socket of the system be opened; give a url";
  const told = await Promise.all([
    live({}),
    live({ socketPath: "/x" }),
    live({ port: 1, token: "t" }),
    studio({}),
    spawn({}),
  ]);
  vi.unstubAllGlobals();
  expect(told).toEqual([...["INVALID", "INVALID", "INVALID", "invalid", "invalid"].map((code) => [code, text])]);
});
