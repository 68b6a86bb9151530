import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { cuttingProxies } from "../../testing/cutting-proxy.ts";
import { type ServeProcess, serveProcesses } from "../../testing/serve-process.ts";
import { vagueSpec } from "../../testing/vague-spec.ts";
import {
  type OperationMessage,
  OperationsClient,
  type OperationsClientOptions,
  type OperationsError,
} from "./index.ts";

// The client and the server as they are, over real sockets.

const { place, launch } = serveProcesses();
const proxied = cuttingProxies();
const soon = { baseMs: 10, maxMs: 100 };

const clients: OperationsClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

function clientOf({ url, token }: Pick<ServeProcess, "url" | "token">, more: Partial<OperationsClientOptions> = {}) {
  const client = new OperationsClient({ url, token, ...more });
  clients.push(client);
  return client;
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not rejected"),
    ({ code, status }: OperationsError) => ({ code, status }),
  );

const isQuestion = ({ metadata }: OperationMessage) => metadata?.ask_kind !== undefined;
const placed = (messages: OperationMessage[]) => messages.filter(({ sequence }) => sequence >= 0);

async function clarified(client: OperationsClient, feature = "001-sign-in") {
  await client.createFeature(feature, { content: vagueSpec });
  return (await client.start(feature, "clarify")).operation_id;
}

/** All that it says, with its questions answered by their first option. */
async function answering(client: OperationsClient, id: string): Promise<OperationMessage[]> {
  const all: OperationMessage[] = [];
  const stream = client.watch(id, { reconnect: soon });
  for await (const message of stream) {
    all.push(message);
    if (isQuestion(message)) await stream.answer(message.metadata?.ask_id ?? "", "A").catch(() => {});
  }
  return all;
}

describe("calls", () => {
  test("sign in by the token, and out", async () => {
    const server = await launch(place()).ready();
    const client = clientOf(server);
    const { user, valid } = await client.verify();
    expect([valid, user.login, client.sessionId?.length]).toEqual([true, "admin", expect.any(Number)]);
    const bySession = clientOf(server, { token: undefined, sessionId: client.sessionId });
    expect(await bySession.features()).toEqual([]);
    await client.logout();
    expect(await failure(bySession.features())).toEqual({ code: "unauthorized", status: undefined });
    expect(await client.features()).toEqual([]); // it has the token, and signs in anew
    expect(await failure(clientOf(server, { token: "drg_nobody" }).verify())).toEqual({
      code: "unauthorized",
      status: 401,
    });
  });

  test("read and save documents, and say when somebody else was faster", async () => {
    const client = clientOf(await launch(place()).ready());
    const created = await client.createFeature("001-sign-in", { content: vagueSpec });
    expect(await client.features()).toMatchObject([{ id: "001-sign-in", documents: ["spec"] }]);
    const read = await client.document("001-sign-in", "spec");
    expect([read.content, read.etag]).toEqual([vagueSpec, created.etag]);
    const saved = await client.save("001-sign-in", "spec", `${vagueSpec}\nMore.\n`, { ifMatch: read.etag });
    expect(await failure(client.save("001-sign-in", "spec", "x", { ifMatch: read.etag }))).toEqual({
      code: "PRECONDITION_FAILED",
      status: 412,
    });
    expect((await client.document("001-sign-in", "spec")).etag).toBe(saved.etag);
    expect(await failure(client.document("001-sign-in", "plan"))).toEqual({ code: "DOCUMENT_NOT_FOUND", status: 404 });
    expect(await failure(client.start("002-nothing", "plan"))).toMatchObject({ status: 404 });
    expect(() => client.document("..", "spec")).toThrow("no name of a feature");
  });

  test("start, look at and cancel an operation", async () => {
    const client = clientOf(await launch(place()).ready());
    const id = await clarified(client);
    expect(await failure(client.start("001-sign-in", "plan"))).toEqual({ code: "OPERATION_RUNNING", status: 409 });
    const stream = client.watch(id);
    for await (const message of stream) if (isQuestion(message)) break;
    expect((await client.operation(id)).status).toBe("waiting");
    expect(await client.cancel(id, { reason: "enough" })).toMatchObject({ ok: true });
    const all = placed(await answering(client, id));
    expect(all.slice(-2).map(({ type }) => type)).toEqual(["error", "complete"]);
    expect((await client.operations("001-sign-in")).map(({ status }) => status)).toEqual(["cancelled"]);
    expect((await client.messages(id)).messages).toEqual(all);
    expect(await failure(client.operation("00000000-0000-4000-8000-000000000000"))).toEqual({
      code: "OPERATION_NOT_FOUND",
      status: 404,
    });
  });
});

describe("a stream", () => {
  test("tells an operation from its first message to its last, takes the answers, and they are in the spec", async () => {
    const where = place();
    const client = clientOf(await launch(where).ready());
    const id = await clarified(client);
    const all = await answering(client, id);
    expect(all[0]).toMatchObject({ sequence: -1, content: `Connected to operation ${id}` });
    expect(placed(all).map(({ sequence }) => sequence)).toEqual(placed(all).map((_, at) => at));
    expect(all.at(-1)?.content).toMatch(/^Clarification complete\. \d questions generated, \d answered and applied/);
    expect((await client.document("001-sign-in", "spec")).content).toContain("## Clarifications");
    const subjects = execFileSync("git", ["log", "--all", "--format=%s"], { cwd: where.workspace, encoding: "utf8" });
    expect(subjects).toMatch(/clarify specs\/001-sign-in\/spec\.md/);
    const rest = await answering(client, id);
    expect(placed(rest)).toEqual(placed(all));
  });

  test("has every message once and in order through cuts in the middle of anything", async () => {
    const server = await launch(place()).ready();
    const proxy = await proxied({ port: server.port, cuts: 25, maxBytes: 4000, seed: 7 });
    const id = await clarified(clientOf(server));
    const all = placed(await answering(clientOf({ url: proxy.url, token: server.token }), id));
    expect(all).toEqual((await clientOf(server).messages(id)).messages);
    expect(proxy.cuts).toBeGreaterThan(5);
  });

  test("survives the server's sudden death, and answers a question that the dead one asked", async () => {
    const where = place();
    const server = await launch(where).ready();
    const { port, url, token } = server;
    const client = clientOf({ url, token });
    const stream = client.watch(await clarified(client), { reconnect: soon });
    const all: OperationMessage[] = [];
    const asked = new Set<string>();
    const questions = async (): Promise<void> => {
      for (;;) {
        const { value, done } = await stream.next();
        if (done) return;
        all.push(value);
        if (isQuestion(value)) asked.add(value.metadata?.ask_id ?? "");
        if (asked.size === 4) return;
      }
    };
    await questions();
    server.child.kill("SIGKILL");
    await server.exit;
    await launch(where, ["--port", String(port)]).ready();
    for (const askId of asked) await stream.answer(askId, "B");
    for await (const message of stream) all.push(message);
    expect(placed(all).map(({ sequence }) => sequence)).toEqual(placed(all).map((_, at) => at));
    expect(all.at(-1)).toMatchObject({ type: "complete", content: expect.stringContaining("answered and applied") });
    expect((await client.messages(all.at(-1)?.operation_id ?? "")).messages).toEqual(placed(all));
  });

  test("ends with the server's word where it may not, or cannot, watch", async () => {
    const server = await launch(place()).ready();
    const client = clientOf(server);
    const nobody = client.watch("00000000-0000-4000-8000-000000000000");
    expect(await nobody.ended).toMatchObject({ code: "OPERATION_NOT_FOUND", status: 404, closeCode: 4404 });
    const id = await clarified(client);
    expect(await client.watch(id, { after: 5000 }).ended).toMatchObject({
      code: "INVALID_PARAMETERS",
      closeCode: 4400,
    });
    const stranger = clientOf(server, { token: undefined, sessionId: "sess_unknown" });
    expect(await stranger.watch(id).ended).toMatchObject({ code: "unauthorized" });
  });
});

describe("sessions", () => {
  test("are made, prompted, watched and listed, also from where another protocol got to", async () => {
    const client = clientOf(await launch(place()).ready());
    const made = await client.createSession({ title: "Mine" });
    expect([made.title, made.status, made.last_seq, made.operation_id]).toEqual(["Mine", "idle", 1, undefined]);
    const stream = await client.prompt(made.session_id, "What can you do?", { reconnect: soon });
    const all: OperationMessage[] = [];
    for await (const message of stream) all.push(message);
    const said = placed(all);
    expect(said.at(-1)?.type).toBe("complete");
    const listed = await client.session(made.session_id);
    expect(listed).toMatchObject({
      ...{ status: "idle", operation_id: stream.operationId, last_prompt: "What can you do?", pending: 0 },
      last_seq: stream.lastLogSeq,
    });
    expect(await client.sessions()).toEqual([listed]);
    const half = said[Math.floor(said.length / 2)]?.log_seq ?? 0;
    const rest: OperationMessage[] = [];
    for await (const message of client.watch(stream.operationId, { afterLogSeq: half })) rest.push(message);
    const after = said.filter(({ log_seq = 0 }) => log_seq > half);
    expect(placed(rest)).toEqual(after);
    expect((await client.messages(stream.operationId, { afterLogSeq: half })).messages).toEqual(after);
    expect(await client.watch(stream.operationId, { afterLogSeq: 9999 }).ended).toMatchObject({
      ...{ code: "INVALID_PARAMETERS", closeCode: 4400 },
    });
    expect(await failure(client.prompt("nowhere", "Hello"))).toEqual({ code: "SESSION_NOT_FOUND", status: 404 });
    expect(await failure(client.createSession({ engine: "none" }))).toEqual({
      code: "INVALID_PARAMETERS",
      status: 400,
    });
  });
});
