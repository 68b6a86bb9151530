import { spawn } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { announceServer } from "../../access/running-servers.ts";
import { type AnsweringServer, answeringServers, json } from "../../testing/answering-server.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { dataFolder as dataFolderOfTheCommand } from "../../tools/data-folder.ts";
import { dataFolder, findSidecar } from "./find-sidecar.ts";

const serve = answeringServers();
const folder = temporaryFolder();
let home = "";
beforeEach(() => {
  home = folder.newPath();
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "token"), "drg_admin\n", { mode: 0o600 });
});

const healthy = () => serve((_, response) => json(response, { status: "ok", name: "dragoman", version: "1" }));

interface Announced {
  pid?: number;
  workspace?: string;
  startedAt?: string;
}

async function announce({ url }: AnsweringServer, { pid = process.pid, ...more }: Announced = {}) {
  const server = { url, pid, workspace: "/w", version: "1.2.3", startedAt: "2026-01-01T00:00:00.000Z", ...more };
  await announceServer(home, server);
  return server;
}

/** A second process to be announced as. */
async function withAnother(act: (pid: number) => Promise<void>): Promise<void> {
  const other = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  try {
    await act(other.pid ?? 0);
  } finally {
    other.kill("SIGKILL");
  }
}

test("finds the server that runs, with the token that opens it, and asks it without that", async () => {
  const server = await healthy();
  const announced = await announce(server);
  expect(await findSidecar({ home })).toEqual({ ...announced, token: "drg_admin" });
  expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([["/health", undefined]]);
});

test("finds that of the folder, or of the nearest around it, by whatever path it is named", async () => {
  const root = realpathSync(folder.path);
  const [outer, inner] = [join(root, "repo"), join(root, "repo", "app")];
  mkdirSync(join(inner, "src"), { recursive: true });
  mkdirSync(join(root, "repo-2"));
  symlinkSync(inner, join(root, "link"));
  const [first, second] = [await healthy(), await healthy()];
  await withAnother(async (pid) => {
    await announce(first, { workspace: outer, startedAt: "2026-02-02T00:00:00.000Z" });
    await announce(second, { workspace: inner, pid });
    const urlFor = async (workspace: string) => (await findSidecar({ home, workspace }))?.url;
    expect(await urlFor(outer)).toBe(first.url);
    expect(await urlFor(inner)).toBe(second.url);
    expect(await urlFor(join(inner, "src"))).toBe(second.url);
    expect(await urlFor(join(root, "link"))).toBe(second.url);
    expect(await urlFor(join(root, "repo-2"))).toBeUndefined();
    expect((await findSidecar({ home }))?.url).toBe(first.url);
  });
});

test("takes the next one when the latest does not answer as ours", async () => {
  const [other, ours] = [await serve((_, response) => void response.end("hello")), await healthy()];
  await withAnother(async (pid) => {
    await announce(other, { startedAt: "2026-02-02T00:00:00.000Z" });
    await announce(ours, { pid });
    expect((await findSidecar({ home, workspace: "/w" }))?.url).toBe(ours.url);
  });
});

test("does not ask one whose process is gone", async () => {
  const server = await healthy();
  let gone = 0;
  await withAnother(async (pid) => {
    gone = pid;
  });
  await expect.poll(() => findSidecar({ home })).toBeUndefined();
  await announce(server, { pid: gone });
  await expect.poll(() => findSidecar({ home })).toBeUndefined();
});

test.each<[what: string, spoil: (servers: string, server: AnsweringServer) => void]>([
  ["no data folder", () => {}],
  ["what is no JSON", (servers) => writeFileSync(join(servers, "1.json"), "{")],
  ["what is no server", (servers) => writeFileSync(join(servers, "1.json"), "[]")],
  [
    "a server of another version's record",
    (servers, { url }) => writeFileSync(join(servers, "1.json"), JSON.stringify({ url, pid: process.pid })),
  ],
])("finds nothing in %s", async (_, spoil) => {
  const server = await healthy();
  mkdirSync(join(home, "servers"));
  spoil(join(home, "servers"), server);
  expect(await findSidecar({ home })).toBeUndefined();
  expect(await findSidecar({ home: join(home, "elsewhere") })).toBeUndefined();
});

test("looks where the command keeps its data", () => {
  const environments: NodeJS.ProcessEnv[] = [
    {},
    { DRAGOMAN_HOME: "data" },
    { XDG_DATA_HOME: "/x" },
    { LOCALAPPDATA: "C:\\x" },
  ];
  const platforms: NodeJS.Platform[] = ["linux", "darwin", "win32"];
  for (const env of environments) {
    for (const platform of platforms) expect(dataFolder(env, platform)).toBe(dataFolderOfTheCommand(env, platform));
  }
});
