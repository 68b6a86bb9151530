import { existsSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Place, type ServeProcess, serveProcesses } from "../testing/serve-process.ts";
import type { WireMessage } from "../testing/ui-wire.ts";
import { WireEnd } from "../testing/wire-end.ts";

// `live` as it is served: over WebSocket, at a Unix socket and at a port. The bundled command, real sockets.

const { place, launch } = serveProcesses();
const pathIn = ({ workspace }: Place) => join(workspace, "..", "live.sock");
const list = { type: "session_list", correlation_id: "list", data: {} };
const listed = (wire: WireEnd) => wire.message((m) => m.correlation_id === "list", "the list of sessions");
const prompt = (content: string, more = {}) => ({ type: "user_input", data: { content }, ...more });
const much = { type: "flow_control", data: { available_capacity: 1000 } };
const isAsk = (m: WireMessage) => m.type === "tool_call_confirmation";
const isEnd = (m: WireMessage) => m.type === "status_update" && m.data.kind === "run" && m.data.status === "completed";

function open(at: string | number): WireEnd {
  const socket = typeof at === "string" ? connect(at) : connect(at, "127.0.0.1");
  socket.on("error", () => {}); // the close tells
  return WireEnd.ofStreams(socket, socket);
}

const livePort = ({ stdout }: ServeProcess) => Number(/^LIVE_PORT=(\d+)$/m.exec(stdout)?.[1]);
const webSocket = ({ port }: ServeProcess, token: string, query = "") =>
  WireEnd.ofSocket(`ws://127.0.0.1:${port}/live${query}`, { authorization: `Bearer ${token}` });

test("one session is shared by a Unix socket, a port and WebSockets, and each knows where the others find it", async () => {
  const where = place();
  const path = pathIn(where);
  const server = await launch(where, ["--port", "0", "--announce", "--live-socket", path, "--live-port", "0"]).ready();
  expect(server.stdout.split("\n")).toEqual([
    `SIDECAR_PORT=${server.port}`,
    `SIDECAR_TOKEN_FILE=${join(where.home, "token")}`,
    `LIVE_SOCKET=${path}`,
    expect.stringMatching(/^LIVE_PORT=\d+$/),
    "",
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(where.home, "servers", `${server.child.pid}.json`), "utf8"))).toMatchObject({
    live: { socket: path, port: livePort(server) },
  });
  const numbers = async () => (await server.fetch("/metrics")).text();
  expect(await numbers()).toContain(
    '\ndragoman_live_listening{over="socket"} 1\ndragoman_live_listening{over="port"} 1\n',
  );
  const listening = server.log.filter(({ event }) => event === "live.listening");
  expect(listening).toMatchObject([{ path }, { port: livePort(server) }]);

  const [user, known] = [open(path), open(livePort(server))];
  known.send({ type: "auth", data: { token: server.token } });
  for (const wire of [user, known]) wire.send(much);
  user.send(prompt("write a file notes.txt with the text hello"));
  const { session_id, data } = await user.message(isAsk, "the ask");
  const observer = await tokenOf(server, where, "eve", "observe");
  const watching = await webSocket(server, observer, `?session=${session_id}&after=0`);
  watching.send(much);
  await watching.message(isAsk, "the ask, to who only watches");
  expect(watching.messages[0]).toMatchObject({ type: "session_state", session_id });
  const answer = { type: "tool_approval", session_id, correlation_id: "yes", ack_required: true };
  watching.send({ ...answer, data: { call_id: data.ask_id, approved: true } });
  const refused = await watching.message((m) => m.correlation_id === "yes", "that it may not");
  expect(refused).toMatchObject({ type: "error", data: { error_code: "PERMISSION_DENIED" } });
  known.send({ ...answer, data: { call_id: data.ask_id, approved: true } });
  expect(await known.message((m) => m.correlation_id === "yes", "that it counts")).toMatchObject({ type: "ack" });
  await Promise.all([user, watching].map((wire) => wire.message(isEnd, "the end of the run")));

  expect(await numbers()).toContain(
    '\ndragoman_live_connections{over="socket"} 1\ndragoman_live_connections{over="port"} 1\n',
  );
  for (const wire of [user, known, watching]) {
    wire.send(list);
    const [session] = (await listed(wire)).data.sessions;
    expect(session).toMatchObject({ session_id, status: "idle" });
    expect(session.addresses).toEqual({
      ui: `/ui?session=${session_id}`,
      studio: `/studio?session=${session_id}`,
      sidecar: `/stream/${session_id}`,
      live: `/live?session=${session_id}`,
      operations: expect.stringMatching(/^\/ws\?operation_id=/),
    });
  }
});

async function tokenOf({ url }: ServeProcess, { home }: Place, name: string, role: string): Promise<string> {
  const { TokenBook } = await import("../access/token-book.ts");
  const { book } = await TokenBook.open(home);
  const { token } = await book.create({ name, roles: [role as "observe"] });
  book.close();
  const headers = { authorization: `Bearer ${token}` };
  await expect.poll(async () => (await fetch(`${url}/auth/me`, { headers })).status).toBe(200);
  return token;
}

test("who ends its sending at the Unix socket still gets the answers, which take their time", async () => {
  const where = place();
  await launch(where, ["--port", "0", "--live-socket", pathIn(where)]).ready();
  const wire = open(pathIn(where));
  for (const id of ["1", "2", "3"]) wire.send(prompt("hello", { correlation_id: id, ack_required: true }));
  wire.close();
  await wire.until(() => wire.closed, "the end of the connection");
  const acks = wire.messages.filter(({ type }) => type === "ack").map(({ correlation_id }) => correlation_id);
  expect(acks).toEqual(["1", "2", "3"]);
});

test("what the address of a WebSocket says wrongly is told, and the connection goes on", async () => {
  const server = await launch(place()).ready();
  const wire = await webSocket(server, server.token, "?session=x&after=soon");
  wire.send(list);
  await listed(wire);
  const form = "It takes /live?session=<id>&after=<seq>, where after is a whole number, or /live alone.";
  const wrong = (why: string) => ({
    type: "error",
    data: {
      error_code: "INVALID_INPUT_FORMAT",
      message: `In the address ${why}. ${form} The connection goes on.`,
      severity: "error",
    },
  });
  expect(wire.messages[0]).toMatchObject(wrong('after is "soon", and no seq'));
  const alone = await webSocket(server, server.token, "?after=7");
  expect(await alone.message((m) => m.type === "error", "the error")).toMatchObject(
    wrong("after is there, and no session"),
  );
  const lost = await webSocket(server, server.token, "?session=x");
  const { data } = await lost.message((m) => m.type === "error", "that there is no such session");
  expect(data).toMatchObject({ error_code: "SESSION_TIMEOUT", severity: "error" });
});

test("a token that ends takes its WebSocket with it, which is told why", async () => {
  const where = place();
  const server = await launch(where).ready();
  const token = await tokenOf(server, where, "eve", "observe");
  const wire = await webSocket(server, token);
  wire.send(list);
  await listed(wire);
  const { TokenBook } = await import("../access/token-book.ts");
  const { book } = await TokenBook.open(where.home);
  await book.revoke("eve");
  book.close();
  await wire.until(() => wire.closed, "the end of the connection");
  expect(wire.messages.at(-1)).toMatchObject({
    type: "error",
    data: { error_code: "PERMISSION_DENIED", severity: "fatal" },
  });
});

describe("a server that is told to end", () => {
  test("says so to everyone, after how their runs ended, and takes its socket away", async () => {
    const where = place();
    const path = pathIn(where);
    const server = await launch(where, ["--port", "0", "--live-socket", path, "--live-port", "0"]).ready();
    expect(server.stdout).toContain(
      `\nThe live protocol, for you alone: ${path}\nThe live protocol, token first: 127.0.0.1:`,
    );
    const wires = [open(path), await webSocket(server, server.token)];
    for (const wire of wires) {
      wire.send(list);
      await listed(wire);
    }
    server.child.kill("SIGTERM");
    expect(await server.exit).toBe(0);
    for (const wire of wires) {
      await wire.until(() => wire.closed, "the end of the connection");
      expect(wire.messages.at(-1)).toMatchObject({ type: "interrupt", data: { reason: "server_stopping" } });
    }
    expect(existsSync(path)).toBe(false);
  });
});

describe("a second server", () => {
  test("does not take the Unix socket of one that is there, and replaces that of one that was killed", async () => {
    const where = place();
    const args = ["--port", "0", "--live-socket", pathIn(where)];
    const first = await launch(where, args).ready();
    const second = launch(where, args);
    expect([await second.exit, second.stdout]).toEqual([1, ""]);
    const who = `Your server ${first.url} (pid ${first.child.pid}), which serves ${where.workspace},`;
    expect(second.stderr).toContain(
      `dragoman: ${who} listens at ${pathIn(where)} already. End it first, or give another --live-socket.\n`,
    );
    const wire = open(pathIn(where));
    wire.send(list);
    await listed(wire);
    first.child.kill("SIGKILL");
    await first.exit;
    expect(existsSync(pathIn(where))).toBe(true);
    await launch(where, args).ready();
    const again = open(pathIn(where));
    again.send(list);
    await listed(again);
  });

  test("at the same port will do if it speaks `live` where that is wanted, and else says what it lacks", async () => {
    const where = place();
    const path = pathIn(where);
    const first = await launch(where, ["--port", "0", "--announce", "--live-socket", path, "--live-port", "0"]).ready();
    const again = async (...args: string[]) => {
      const second = launch(where, ["--port", String(first.port), "--announce", ...args]);
      return [await second.exit, second.stdout, /without your (.*)\. Give/.exec(second.stderr)?.[1]];
    };
    expect(await again("--live-socket", path, "--live-port", "0")).toEqual([0, first.stdout, undefined]);
    expect(await again("--live-port", String(livePort(first)))).toEqual([0, first.stdout, undefined]);
    const others = ["--live-socket", `${path}2`, "--live-port", "1"];
    const lacks = `--live-socket (it has ${path}), --live-port (it has ${livePort(first)})`;
    expect(await again(...others)).toEqual([1, "", lacks]);
  });
});
