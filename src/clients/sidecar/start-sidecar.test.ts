import { chmodSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isAlive } from "../../testing/cli-process.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { type SidecarError, type StartedSidecar, startSidecar } from "./index.ts";

const folder = temporaryFolder();
const started: StartedSidecar[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

/** A `dragoman` that does this. */
function command(source: string): string {
  const path = folder.newPath().replace(".db", ".mjs");
  writeFileSync(path, `#!${process.execPath}\n${source}`);
  chmodSync(path, 0o755);
  return path;
}

const tokenFile = () => {
  const path = join(folder.path, "token");
  writeFileSync(path, "drg_secret\n");
  return path;
};

const announce = () => `process.stdout.write("SIDECAR_PORT=4711\\nSIDECAR_TOKEN_FILE=${tokenFile()}\\n");`;
const untilStdinEnds = 'process.stdin.resume().on("end", () => process.exit(0));';

async function start(source: string, options: Parameters<typeof startSidecar>[0] = {}): Promise<StartedSidecar> {
  const server = await startSidecar({ command: command(source), workspace: folder.path, ...options });
  started.push(server);
  return server;
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not rejected"),
    ({ code, message }: SidecarError) => ({ code, message }),
  );

describe("a server", () => {
  test("is started for a folder at a free port, ends with its stdin, and says where it is and what opens it", async () => {
    const logged: string[] = [];
    const server = await start(
      `process.stderr.write(JSON.stringify([process.argv.slice(2), process.env.COLOUR]) + "\\n");${announce()}${untilStdinEnds}`,
      { args: ["--model", "m"], env: { COLOUR: "green" }, onLog: (line) => logged.push(line) },
    );
    const { url, token, pid } = server;
    expect({ url, token }).toEqual({ url: "http://127.0.0.1:4711", token: "drg_secret" });
    const flags = ["serve", "--port", "0", "--announce", "--until-stdin-ends", "--workspace", folder.path];
    await vi.waitFor(() =>
      expect(logged.map((line) => JSON.parse(line))).toEqual([[[...flags, "--model", "m"], "green"]]),
    );
    await server.close();
    expect(isAlive(pid)).toBe(false);
    expect(await server.ended).toMatchObject({ message: expect.stringContaining("is not there: exit code 0") });
  });

  test("is understood also when its lines come in pieces and among others", async () => {
    const [first, second] = announce()
      .split("\\n")
      .map((part) => part.split('"').at(-1));
    const source = `
      const parts = ${JSON.stringify(["hello\n", "SIDECAR_", "PORT=4711\r\n", `${second}`, "\n", "more\n"])};
      for (const part of parts) { process.stdout.write(part); await new Promise(setImmediate); }
      ${untilStdinEnds}`;
    expect(first).toBe("SIDECAR_PORT=4711");
    expect((await start(source)).url).toBe("http://127.0.0.1:4711");
  });

  test("that ends by itself tells why", async () => {
    const die = 'process.stderr.write("out of memory\\n"); process.exitCode = 7; process.stdin.destroy();';
    const server = await start(`process.once("SIGUSR2", () => { ${die} }); process.stdin.resume(); ${announce()}`);
    process.kill(server.pid, "SIGUSR2");
    expect((await server.ended).message).toMatch(/is not there: exit code 7: out of memory$/);
  });

  test("that does not end by itself is ended", async () => {
    const server = await start(`process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); ${announce()}`, {
      closeMs: 10,
    });
    await server.close();
    expect((await server.ended).message).toContain("signal SIGKILL");
  });

  test("works in the folder of the process if none is said", async () => {
    const logged: string[] = [];
    const source = `process.stderr.write(process.argv.at(-1) + "\\n");${announce()}${untilStdinEnds}`;
    await start(source, { workspace: undefined, onLog: (line) => logged.push(line) });
    await vi.waitFor(() => expect(logged).toEqual([realpathSync(process.cwd())]));
  });
});

describe("a server that cannot be had", () => {
  test.each<[what: string, source: () => string, message: RegExp]>([
    [
      "because it ends",
      () => 'process.stderr.write("error: no such engine\\n"); process.exit(2);',
      /is not there: exit code 2: error: no such engine$/,
    ],
    [
      "because its token cannot be read",
      () => `process.stdout.write("SIDECAR_PORT=1\\nSIDECAR_TOKEN_FILE=/nowhere/token\\n");${untilStdinEnds}`,
      /is not there: its token cannot be read \(ENOENT/,
    ],
  ])("%s is an error", async (_, source, message) => {
    expect(await failure(start(source()))).toEqual({ code: "not_started", message: expect.stringMatching(message) });
  });

  test("because it says nothing in time is an error, and nothing of it is left", async () => {
    const pids: number[] = [];
    const source = `process.stdin.resume(); process.stdout.write("SIDECAR_PORT=1\\n"); process.stderr.write(process.pid + "\\n");`;
    const starting = start(source, { timeoutMs: 3000, onLog: (line) => pids.push(Number(line)) });
    expect(await failure(starting)).toEqual({
      code: "not_started",
      message: expect.stringContaining("is not there: it did not serve within 3000 ms"),
    });
    expect(pids.map(isAlive)).toEqual([false]);
  });

  test("because there is no such command is an error", async () => {
    expect(await failure(startSidecar({ command: "/nowhere/dragoman" }))).toEqual({
      code: "not_started",
      message: expect.stringContaining("(/nowhere/dragoman) is not there: it could not be started (spawn"),
    });
  });
});
