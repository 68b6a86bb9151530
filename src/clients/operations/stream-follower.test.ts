import { describe, expect, test, vi } from "vitest";
import { settle } from "../../testing/scripted.ts";
import { message, operation, watchedOperation } from "../../testing/watched-operation.ts";

// What ends a connection, and what comes after it.

describe("a connection", () => {
  test("brings its messages compressed if that is wanted", async () => {
    const { socket } = await watchedOperation({ compress: true });
    expect(socket().query).toEqual({ operation_id: operation, session_id: "s1", compress: "1" });
  });

  test("is not waited for longer than 10 s", async () => {
    const { made, socket, pass, states } = await watchedOperation();
    const terminate = vi.fn(); // Node's sockets have it: a close alone waits for a server that is not there
    Object.assign(socket(), { terminate });
    await pass(10_000);
    expect([socket().closed !== undefined, states.at(-1)?.error?.code]).toEqual([true, "timeout"]);
    expect(terminate).toHaveBeenCalledOnce();
    await pass(1000);
    expect(made.length).toBe(2);
  });

  test("is made at once when the machine has a network again", async () => {
    const heard = new EventTarget();
    const listeners = new Set<unknown>();
    vi.stubGlobal("addEventListener", (kind: string, listener: () => void) => {
      heard.addEventListener(kind, listener);
      listeners.add(listener);
    });
    vi.stubGlobal("removeEventListener", (_: string, listener: () => void) => listeners.delete(listener));
    const { made, socket } = await watchedOperation();
    socket().end();
    await settle();
    heard.dispatchEvent(new Event("online"));
    await settle();
    vi.unstubAllGlobals();
    expect([made.length, listeners.size]).toEqual([2, 0]);
  });
});

describe("what does not pass", () => {
  test.each([
    [4400, "refused"],
    [4403, "refused"],
    [4404, "refused"],
    [4410, "refused"],
  ])("a close with %i ends the stream", async (closeCode, code) => {
    const { stream, socket, made, pass } = await watchedOperation();
    socket().open().end(closeCode, "No.");
    expect(await stream.ended).toMatchObject({
      code,
      closeCode,
      status: closeCode - 4000,
      message: expect.stringContaining("No."),
    });
    await pass(60_000);
    expect(made.length).toBe(1);
  });

  test("is told in the words that the server gave it", async () => {
    const { stream, socket } = await watchedOperation();
    const refusal = message(-2, "error", { content: "Not yours.", metadata: { code: "FORBIDDEN" } });
    socket().open().say(refusal).end(4403);
    expect(await stream.ended).toMatchObject({
      code: "FORBIDDEN",
      message: "Not yours.",
      closeCode: 4403,
      status: 403,
    });
  });

  test.each([1000, 1001, 1006, 1011, 4429, 4500, 4503])("a close with %i passes", async (closeCode) => {
    const { socket, made, pass } = await watchedOperation();
    socket().open().end(closeCode);
    await settle();
    await pass(1000);
    expect(made.length).toBe(2);
  });

  test("a socket that was never accepted is asked about, for a browser does not see why", async () => {
    const error = {
      code: "OPERATION_NOT_FOUND",
      message: "There is no such operation.",
      details: [1],
      request_id: "r",
    };
    const answers = () => ({ status: 404, body: { error, timestamp: "" } });
    const { stream, socket } = await watchedOperation({ answers });
    socket().end();
    expect(await stream.ended).toMatchObject({
      ...{ code: error.code, message: error.message },
      status: 404,
      details: [1],
      requestId: "r",
    });
  });

  test("but what passes is waited out, for as long as the server asks to", async () => {
    const headers = { "retry-after": "7" };
    const fetch = async () => Response.json({}, { status: 503, headers });
    const { socket, states, made, pass } = await watchedOperation({}, { fetch });
    socket().end();
    await settle();
    const error = expect.objectContaining({ status: 503, retryAfterMs: 7000 });
    expect(states.at(-1)).toEqual({ state: "reconnecting", attempt: 1, inMs: 7000, error });
    await pass(6999);
    expect(made.length).toBe(1);
    await pass(1);
    expect(made.length).toBe(2);
  });

  test("what is no message ends the stream", async () => {
    const { stream, socket } = await watchedOperation();
    socket().open().say({ type: "system" });
    expect(await stream.ended).toMatchObject({ code: "protocol" });
  });
});

describe("a sign-in that has ended", () => {
  test("is made anew once, by the token, and the socket comes back at once", async () => {
    const { socket, made, called, stream, pass } = await watchedOperation({}, { token: "drg_1" });
    expect([called, socket().query.session_id]).toEqual([[{ call: "POST auth/verify", by: null }], "renewed"]);
    socket().open().end(4401);
    await settle();
    expect([made.length, called.length]).toEqual([2, 2]);
    socket().open().end(4401);
    expect(await stream.ended).toMatchObject({ code: "unauthorized", closeCode: 4401 });
    await pass(60_000);
    expect(made.length).toBe(2);
  });

  test("is made anew again when the one before was good for something", async () => {
    let count = 0;
    const { socket, made } = await watchedOperation({}, { signIn: async () => `s${++count}` });
    socket().open().say(message(0)).end(4401);
    await settle();
    socket().open().say(message(1)).end(4401);
    await settle();
    expect(made.map(({ query }) => query.session_id)).toEqual(["s1", "s2", "s3"]);
  });

  test("is the end where there is no other", async () => {
    const { stream, socket } = await watchedOperation();
    socket().open().end(4401);
    expect(await stream.ended).toMatchObject({
      code: "unauthorized",
      message: expect.stringContaining("Sign in anew"),
    });
  });

  test("is tried again later while there is no network to sign in by", async () => {
    let turn = 0;
    const signIn = async () => {
      if (turn++ > 0 && turn < 4) throw new TypeError("fetch failed");
      return `s${turn}`;
    };
    const { made, pass, socket } = await watchedOperation({}, { signIn });
    socket().open().end(4401);
    await settle();
    await pass(1000);
    await pass(1000);
    expect(made.map(({ query }) => query.session_id)).toEqual(["s1", "s4"]);
  });

  test("ends with the client's logout, which no stream survives", async () => {
    const { client, stream, called, socket } = await watchedOperation();
    socket().open();
    await client.logout();
    expect([await stream.ended, called]).toEqual([undefined, [{ call: "POST auth/logout", by: "Bearer s1" }]]);
    await expect(client.features()).rejects.toMatchObject({ code: "unauthorized" });
  });
});
