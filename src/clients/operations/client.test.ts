import { describe, expect, test, vi } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { fakeSockets } from "../../testing/fake-socket.ts";
import { settle } from "../../testing/scripted.ts";
import { OperationsClient, type OperationsClientOptions } from "./client.ts";

type Answer = (by: string | null) => Response | Promise<Response>;

const verified: Answer = () => Response.json({ session_id: "s1" });
const unknown: Answer = () => Response.json({}, { status: 401 });
const known: Record<string, Answer> = {
  "POST auth/verify": verified,
  "POST auth/logout": () => Response.json({}),
  "GET features": () => Response.json({ features: [] }),
};

/** A client whose network is what the test says, and the calls it made with the sign-in of each. */
function clientOf(options: Partial<OperationsClientOptions> = {}, answers: Record<string, Answer> = {}) {
  const clock = new ManualClock();
  const { made, WebSocket } = fakeSockets();
  const calls: { call: string; by: string | null; body?: unknown }[] = [];
  const fetch = async (url: URL, { method, headers, body }: RequestInit) => {
    const call = `${method} ${url.pathname.split("/api/v1/")[1]}`;
    const by = new Headers(headers).get("authorization");
    calls.push({ call, by, ...(body ? { body: JSON.parse(String(body)) } : {}) });
    const answer = answers[call] ?? known[call];
    if (!answer) throw new Error(`nobody answers ${call}`);
    return answer(by);
  };
  const given = { url: "http://host.test", clock, WebSocket, fetch: fetch as typeof globalThis.fetch };
  return { client: new OperationsClient({ ...given, ...options }), calls, clock, made };
}

/** A promise, and the function that resolves it. */
function later<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settled) => (resolve = settled));
  return { promise, resolve };
}

const signedIn = { call: "POST auth/verify", by: null, body: { token: "drg_1", scopes: [] } };
const read = { call: "GET features", by: "Bearer s1" };
const loggedOut = { call: "POST auth/logout", by: "Bearer s1", body: {} };

describe("the sign-in", () => {
  test("is made with the first calls, once for all of them, and for the scopes that are wanted", async () => {
    const { client, calls } = clientOf({ token: "drg_1", scopes: ["repo"] });
    await Promise.all([client.features(), client.features()]);
    expect(calls).toEqual([{ ...signedIn, body: { token: "drg_1", scopes: ["repo"] } }, read, read]);
  });

  test("by a function of the caller's is shared as well, and tried anew after one that failed", async () => {
    const signIn = vi.fn(async () => "s1").mockRejectedValueOnce(new Error("no"));
    const { client, calls } = clientOf({ signIn });
    const failed = await Promise.allSettled([client.features(), client.features()]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await Promise.all([client.features(), client.features()]);
    expect([signIn.mock.calls.length, calls]).toEqual([2, [read, read]]);
  });

  test("is made anew once for all calls that were refused with it, and they are made again", async () => {
    let count = 0;
    const signIn = async () => `s${++count}`;
    const features: Answer = (by) => (by === "Bearer s1" ? unknown(by) : Response.json({ features: [] }));
    const { client, calls } = clientOf({ signIn }, { "GET features": features });
    await Promise.all([client.features(), client.features()]);
    expect(calls.map(({ by }) => by)).toEqual(["Bearer s1", "Bearer s1", "Bearer s2", "Bearer s2"]);
  });
});

describe("the time of a call", () => {
  const never = () => new Promise<string>(() => {});

  test("is also that of the sign-in before it, whose end it does not wait for", async () => {
    const { client, clock, calls } = clientOf({ signIn: never });
    const failures = [client.features({ timeoutMs: 500 }), client.features()].map((call) =>
      call.catch(({ code }) => code),
    );
    await settle();
    clock.advance(500);
    expect(await failures[0]).toBe("timeout");
    clock.advance(29_500);
    expect([await failures[1], calls]).toEqual(["timeout", []]);
  });

  test("ends with its signal while somebody else's sign-in goes on, and it is not made after that", async () => {
    const { promise, resolve } = later<string>();
    const { client, calls } = clientOf({ signIn: () => promise });
    const left = new AbortController();
    const aborted = client.createFeature("001-sign-in", { signal: left.signal }).catch(({ code }) => code);
    const other = client.features();
    await settle();
    left.abort();
    expect(await aborted).toBe("aborted");
    resolve("s1");
    expect([await other, calls]).toEqual([[], [read]]);
  });

  test("is also that of the sign-in in its middle", async () => {
    let count = 0;
    const signIn = () => (count++ === 0 ? Promise.resolve("s1") : never());
    const { client, clock } = clientOf({ signIn }, { "GET features": unknown });
    const failure = client.features({ timeoutMs: 500 }).catch(({ code }) => code);
    await settle();
    clock.advance(500);
    expect([await failure, count]).toEqual(["timeout", 2]);
  });

  test("costs nobody anything when the sign-in fails after it", async () => {
    const { promise, resolve } = later<never>();
    const { client, clock } = clientOf({ signIn: () => promise });
    const failure = client.features().catch(({ code }) => code);
    await settle();
    clock.advance(30_000);
    expect(await failure).toBe("timeout");
    resolve(Promise.reject(new Error("no")) as never); // an unhandled rejection fails the run
    await settle();
  });
});

describe("a logout", () => {
  test.each(["verify", "features"] as const)("waits for the sign-in that %s has under way", async (name) => {
    const { promise, resolve } = later<Response>();
    const { client, calls } = clientOf({ token: "drg_1" }, { "POST auth/verify": () => promise });
    const call = client[name]();
    const out = client.logout();
    await settle();
    expect(calls).toEqual([signedIn]);
    resolve(Response.json({ session_id: "s1" }));
    await Promise.all([call, out]);
    expect([calls, client.sessionId]).toEqual([expect.arrayContaining([loggedOut]), undefined]);
  });

  test("waits no longer than it may", async () => {
    const { client, clock } = clientOf({ signIn: () => new Promise<string>(() => {}) });
    const failures = [client.features(), client.logout({ timeoutMs: 500 })].map((call) =>
      call.catch(({ code }) => code),
    );
    await settle();
    clock.advance(500);
    expect(await failures[1]).toBe("timeout");
  });

  test("of nobody, or of a sign-in that failed, asks for nothing", async () => {
    const { client, calls } = clientOf({ token: "drg_1" }, { "POST auth/verify": unknown });
    await client.logout();
    expect(calls).toEqual([]);
    const refused = client.features().catch(({ code }) => code);
    await client.logout();
    expect([await refused, calls]).toEqual(["unauthorized", [signedIn]]);
  });

  test("of a sign-in that has ended is done", async () => {
    const { client, calls } = clientOf({ sessionId: "s1" }, { "POST auth/logout": unknown });
    await client.logout();
    expect([calls, client.sessionId]).toEqual([[loggedOut], undefined]);
  });
});

test.each([
  ["http://host.test", "ws://host.test/ws"],
  ["https://host.test", "wss://host.test/ws"],
  ["https://host.test/dragoman", "wss://host.test/dragoman/ws"],
  ["https://host.test/dragoman/", "wss://host.test/dragoman/ws"],
])("the sockets of %s are at %s", async (url, socket) => {
  const { client, made } = clientOf({ url, sessionId: "s1" });
  client.watch("an operation");
  await settle();
  expect(made.map((one) => one.url.origin + one.url.pathname)).toEqual([socket]);
  client.close();
});
