import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { get } from "node:https";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MASK } from "../core/redactor.ts";
import { builtCommand } from "../testing/built-command.ts";
import { until } from "../testing/scripted.ts";
import { selfSigned } from "../testing/self-signed.ts";
import { serveProcesses } from "../testing/serve-process.ts";
import { SseListener } from "../testing/sse-listener.ts";

// How a server starts, what it prints, and who it lets be. The bundled command, as a user has it.

const { place, launch } = serveProcesses();

const announced = (port: number, home: string) => `SIDECAR_PORT=${port}\nSIDECAR_TOKEN_FILE=${join(home, "token")}\n`;

describe("what is printed", () => {
  test("for a person: the address, a link that signs in once, and the first time only the token", async () => {
    const where = place();
    const first = await launch(where).ready();
    const { url, token } = first;
    expect(first.stdout.split("\n")).toEqual([
      `Dragoman serves ${where.workspace} at ${url}`,
      expect.stringMatching(
        /^Sign in: http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=[\w-]{43} \(once, within 10 minutes\)$/,
      ),
      `Programs of yours find their token in ${join(where.home, "token")}`,
      `It is the admin token, shown this once: ${token}`,
      "",
    ]);
    expect(token).toMatch(/^drg_[\w-]{43}$/);
    const second = await launch(where).ready();
    expect(second.stdout).not.toContain("drg_");
    expect(second.token).toBe(token);
    expect(first.stderr + second.stderr).not.toContain(token);
  });

  test("the token is told by the first that succeeds, where one failed before it", async () => {
    const where = place();
    expect(await launch(where, ["--port", "0", "--live-socket", "no/live.sock"]).exit).toBe(1);
    expect(await launch(where, ["--port", "0", "--engine", "frob"]).exit).toBe(1);
    await launch(where, ["--port", "0", "--announce"]).ready(); // which tells it to nobody
    const line = /^It is the admin token, shown this once: (drg_\S+)$/m;
    const first = await launch(where).ready();
    expect(line.exec(first.stdout)?.[1]).toBe(first.token);
    const second = await launch(where).ready();
    expect(second.stdout).not.toMatch(line);
    expect(readdirSync(where.home)).not.toContain("token-untold");
  });

  test("for a program: the port and where the token is, and nothing else", async () => {
    const where = place();
    const server = await launch(where, ["--port", "0", "--announce"]).ready();
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({
      status: "ok",
      name: "dragoman",
      version: JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version,
    });
    await server.result("session.create");
    server.child.kill("SIGTERM");
    await server.exit;
    expect(server.stdout).toBe(announced(server.port, where.home));
    expect(server.log.every(({ at, level, event }) => at && level && event)).toBe(true);
  });

  test("the token and whatever leads to it is the user's alone", async () => {
    const where = place();
    await launch(where).ready();
    const modes = (folder: string): Record<string, string> =>
      Object.fromEntries(
        readdirSync(folder, { withFileTypes: true, recursive: true })
          .filter((entry) => entry.isFile())
          .flatMap(({ name, parentPath }) => {
            const found = statSync(join(parentPath, name), { throwIfNoEntry: false }); // some are there for a moment only
            return found ? [[name, (found.mode & 0o777).toString(8)]] : [];
          }),
      );
    const { token, "tokens.json": tokens, ...others } = modes(where.home);
    expect({ token, tokens }).toEqual({ token: "600", tokens: "600" });
    expect(Object.values(others).every((mode) => mode === "600")).toBe(true);
    expect((statSync(where.home).mode & 0o777).toString(8)).toBe("700");
  });
});

test("it is found by the user's other programs while it runs, and not any longer", async () => {
  const where = place();
  const server = await launch(where).ready();
  const file = join(where.home, "servers", `${server.child.pid}.json`);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    url: server.url,
    pid: server.child.pid,
    workspace: where.workspace,
  });
  expect(readFileSync(file, "utf8")).not.toContain(server.token);
  server.child.kill("SIGTERM");
  await server.exit;
  expect(readdirSync(join(where.home, "servers"))).toEqual([]);
});

test("other machines are let in where that was said plainly", async () => {
  const everywhere = ["--port", "0", "--host", "0.0.0.0", "--without-tls"];
  const server = await launch(place(), everywhere).ready();
  expect((await server.fetch("/auth/me")).status).toBe(200);
  const hint = "Other machines are refused until you name what they call this one: --allow-host <name or address>";
  await server.until(() => server.stdout.includes(hint), "what else has to be said");
  const named = await launch(place(), [...everywhere, "--allow-host", "box.test", "[fd00::1]:9000", "fd00::2"]).ready();
  const announcing = await launch(place(), [...everywhere, "--announce"]).ready();
  expect(await announcing.logged(({ event }) => event === "server.nameless", "it")).toMatchObject({ message: hint });
  expect(named.stdout + announcing.stdout).not.toContain("--allow-host");
});

test("is known by another name where it was told so, through a tunnel say, and by no other", async () => {
  const { port, token } = await launch(place(), ["--port", "0", "--allow-host", "localhost:9000", "dev.test"]).ready();
  const status = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host, origin: `http://${host}`, authorization: `Bearer ${token}` };
      const asked = request({ port, path: "/auth/tickets", method: "POST", headers });
      asked.on("response", (response) => resolve(response.resume().statusCode)).on("error", reject);
      asked.end();
    });
  const hosts = ["localhost:9000", `dev.test:${port}`, `127.0.0.1:${port}`, "localhost:9001", `evil.test:${port}`];
  expect(await Promise.all(hosts.map(status))).toEqual([200, 200, 200, 403, 403]);
});

test("serves HTTPS with a certificate", async () => {
  const where = place();
  const { cert, key } = selfSigned();
  const files = { cert: join(where.workspace, "cert.pem"), key: join(where.workspace, "key.pem") };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const server = await launch(where, ["--port", "0", "--tls-cert", files.cert, "--tls-key", files.key]).ready();
  expect(server.signInUrl).toMatch(/^https:\/\/127\.0\.0\.1:/);
  const status = await new Promise((resolve, reject) => {
    const asked = get(server.signInUrl, { ca: cert }, (response) => resolve(response.resume().statusCode));
    asked.on("error", reject);
  });
  expect(status).toBe(303);
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

if (!hasCurl) process.stderr.write("NOT TESTED: that curl works with the server, because there is no curl here.\n");

describe.skipIf(!hasCurl && process.env.DRAGOMAN_TEST_ALL !== "1")("curl", () => {
  const curl = (...args: string[]) => String(spawnSync("curl", ["-sS", "--max-time", "20", ...args]).stdout);

  test("calls, streams and reads the numbers with nothing but the token's file", async () => {
    const server = await launch(place()).ready();
    const authorization = ["-H", `Authorization: Bearer ${server.token}`];
    const rpc = (body: unknown) =>
      JSON.parse(curl(...authorization, "--json", JSON.stringify(body), `${server.url}/rpc`));
    const { sessionId } = rpc({ jsonrpc: "2.0", id: 1, method: "session.create" }).result;
    const send = { sessionId, prompt: "List TypeScript files" };
    expect(rpc({ jsonrpc: "2.0", id: 2, method: "session.send", params: send })).toMatchObject({
      id: 2,
      result: { streamUrl: `/stream/${sessionId}` },
    });
    rpc({ jsonrpc: "2.0", id: 3, method: "session.close", params: { sessionId } });
    const stream = curl("-N", ...authorization, `${server.url}/stream/${sessionId}`); // ends with the session
    expect(stream).toMatch(/^retry: 1000\n/);
    expect(stream).toContain("event: timeline.message\n");
    expect(stream).toContain("Session closed");
    expect(curl(...authorization, `${server.url}/metrics`)).toMatch(
      /^dragoman_http_requests_total\{method="POST",route="\/rpc",status="200"\} 3$/m,
    );
    expect(curl("-o", "/dev/null", "-w", "%{http_code}", `${server.url}/metrics`)).toBe("401");
  });
});

test("opens the browser with a file of the user's own, since everyone can see what a command is given", async () => {
  const where = place();
  const bin = join(where.workspace, "bin");
  mkdirSync(bin);
  const opener =
    '#!/bin/sh\n{ echo "$1"; cd "$DRAGOMAN_HOME"; stat -c %a open.html; cat open.html; } > "$OPENED.new"; mv "$OPENED.new" "$OPENED"\n';
  writeFileSync(join(bin, "xdg-open"), opener, { mode: 0o755 });
  const opened = join(where.workspace, "opened");
  const env = { PATH: `${bin}:${process.env.PATH}`, OPENED: opened };
  await launch(where, ["--port", "0", "--open"], env).ready();
  await until(() => existsSync(opened), "the browser");
  const [given, mode, ...page] = readFileSync(opened, "utf8").split("\n");
  expect([given, mode]).toEqual([`file://${join(where.home, "open.html")}`, "600"]);
  const [, link = ""] = /url=([^"]+)"/.exec(page.join("\n")) ?? [];
  expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
});

test("what is doubtful about the configuration is a line of the log", async () => {
  const where = place();
  writeFileSync(join(where.workspace, "dragoman.json"), '{"colour": "red"}');
  const server = await launch(where).ready();
  expect(server.log[0]).toMatchObject({
    level: "warn",
    event: "configuration.doubtful",
    message: expect.stringContaining("colour means nothing here"),
  });
});

test("an agent that finds the admin token does not get it into a log", async () => {
  const where = place();
  const server = await launch(where, ["--port", "0", "--log-level", "debug"]).ready();
  const { token } = server;
  mkdirSync(join(where.workspace, "found"));
  writeFileSync(join(where.workspace, "found", "token.txt"), `the token: ${token}\n`);
  const { sessionId } = await server.result("session.create");
  await server.result("session.send", { sessionId, prompt: "read found/token.txt" });
  const stream = await SseListener.open(server, sessionId);
  await stream.hears(({ data }) => data.done === true, "the end of the run");
  const heard = JSON.stringify(stream.heard);
  server.child.kill("SIGTERM");
  await server.exit;
  expect(heard).toContain(`the token: ${MASK}`);
  expect(heard).not.toContain(token);
  expect(server.stderr).not.toContain(token);
  const kept = readdirSync(where.home).filter((name) => name.startsWith("log.db"));
  expect(kept).toContain("log.db");
  for (const name of kept) expect(readFileSync(join(where.home, name), "latin1")).not.toContain(token);
});

test("a command that an agent runs has no token in its environment", async () => {
  const where = place();
  const token = `drg_${"x".repeat(43)}`;
  const server = await launch(where, ["--port", "0"], { DRAGOMAN_TOKEN: token, CANARY: "sees the rest" }).ready();
  const { sessionId } = await server.result("session.create");
  const stream = await SseListener.open(server, sessionId);
  await server.result("session.send", { sessionId, prompt: "run `sh -c env > seen.txt`" });
  const { data } = await stream.hears(({ event }) => event === "tool.approval", "the ask");
  await server.result("session.approve", { sessionId, askId: data.askId, approved: true });
  await stream.hears(({ data }) => data.done === true, "the end of the run");
  const seen = readFileSync(join(where.workspace, "seen.txt"), "utf8"); // there nothing is masked
  expect(seen).toContain("CANARY=sees the rest\n");
  for (const secret of ["DRAGOMAN_TOKEN", token, server.token]) expect(seen).not.toContain(secret);
});

test("bare dragoman serves, and a word that is no command is still called that", async () => {
  const { home, workspace } = place();
  const options = { cwd: workspace, env: { ...process.env, DRAGOMAN_HOME: home } };
  expect(String(spawnSync(process.execPath, [builtCommand, "serv"], options).stderr)).toContain(
    "unknown command 'serv'",
  );
  const bare = spawn(process.execPath, [builtCommand], options);
  const said = await new Promise<string>((resolve) => {
    for (const output of [bare.stdout, bare.stderr]) output.once("data", (text) => resolve(String(text)));
  });
  bare.kill("SIGKILL");
  expect(said).toMatch(/8137/); // where it serves, or that someone else does there
});
