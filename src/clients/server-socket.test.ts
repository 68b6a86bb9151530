import { afterEach, expect, test, vi } from "vitest";
import { fakeSockets } from "../testing/fake-socket.ts";
import type { LinkEnd } from "./link-end.ts";
import { ServerSocket, type ServerTarget, serverAddress } from "./server-socket.ts";

// Sockets in the test's own hands, as a browser has them: of one that was not opened they tell nothing but 1006.

afterEach(() => {
  vi.useRealTimers();
});

type Answer = (init: RequestInit) => Response | Promise<Response>;

const refusal = (status: number, message: string) => Response.json({ error: { code: "x", message } }, { status });
const ticket = () => Response.json({ ticket: "t1" });

/** A socket to be opened, the requests for tickets, and how it ends. */
function opening(answer: Answer, token?: string) {
  const { made, WebSocket } = fakeSockets();
  const asked: unknown[] = [];
  const fetch = (async (url: URL, init: RequestInit) => {
    asked.push([url.href, init.method, init.headers]);
    return answer(init);
  }) as unknown as typeof globalThis.fetch;
  const target: ServerTarget = { url: "http://here:1/base", token, WebSocket, fetch };
  const opened = vi.fn();
  let socket: ServerSocket | undefined;
  const ended = new Promise<LinkEnd>((closed) => {
    const options = { target, address: serverAddress(target.url, "/live"), mostBytes: 1000 };
    socket = new ServerSocket(options, { opened, message: () => {}, closed });
  });
  const first = () => vi.waitFor(() => made[0] ?? Promise.reject(new Error("no socket yet")));
  return { asked, ended, opened, first, close: () => socket?.close() };
}

const tickets = "http://here:1/base/auth/tickets";

test("whoever is known by nothing is told what the server says, and that it is final", async () => {
  const { asked, ended, first } = opening(() => refusal(401, "This takes a token."));
  (await first()).end();
  expect(await ended).toEqual({
    message: "ws://here:1 does not let us in: This takes a token. Give a token, or sign in.",
    final: true,
  });
  expect(asked).toEqual([[tickets, "POST", {}]]);
});

test.each([401, 403])(
  "a token that is answered with %i is refused in the server's words, before any socket",
  async (status) => {
    const { asked, ended } = opening(() => refusal(status, "It was revoked."), "drg_x");
    expect(await ended).toEqual({
      message: "ws://here:1 does not let us in: It was revoked. Give a token that is good.",
      final: true,
    });
    expect(asked).toEqual([[tickets, "POST", { authorization: "Bearer drg_x" }]]);
  },
);

test("a token that is revoked between the ticket and the socket is refused, too", async () => {
  const answers = [ticket(), refusal(401, "It was revoked.")];
  const { ended, first } = opening(() => answers.shift() as Response, "drg_x");
  const socket = await first();
  expect(socket.query).toEqual({ ticket: "t1" });
  socket.end();
  expect(await ended).toMatchObject({ message: expect.stringContaining("It was revoked."), final: true });
});

test("what is no refusal can be tried again", async () => {
  const nobody = "ws://here:1 opened no socket: it is not there, or does not let this page in";
  const otherwise: [Answer, string][] = [
    [ticket, nobody],
    [() => Promise.reject(new TypeError("Failed to fetch")), nobody],
    [() => refusal(503, "It is stopping."), nobody],
  ];
  for (const [answer, message] of otherwise) {
    const { ended, first } = opening(answer);
    (await first()).end();
    expect(await ended).toEqual({ message });
  }
  expect(await opening(() => refusal(503, "It is stopping."), "drg_x").ended).toEqual({
    message: "ws://here:1 cannot be reached: it gave no ticket (503): It is stopping.",
  });
  expect(await opening(() => new Response("<html>", { status: 401 }), "drg_x").ended).toMatchObject({
    message: "ws://here:1 does not let us in: status 401. Give a token that is good.",
  });
});

test("a server that does not say why is not waited for, nor by who closes meanwhile", async () => {
  vi.useFakeTimers();
  const never = () => new Promise<Response>(() => {});
  const { ended, first } = opening(never);
  (await first()).end(1006, "odd");
  await vi.advanceTimersByTimeAsync(5000);
  expect(await ended).toEqual({ message: "ws://here:1 opened no socket: odd" });
  const aborted = ({ signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const other = opening(aborted);
  (await other.first()).end();
  await other.close();
  expect([await other.ended, vi.getTimerCount()]).toEqual([
    { message: expect.stringContaining("opened no socket") },
    0,
  ]);
});

test("one that was open says by what it was closed, and nobody is asked", async () => {
  for (const [code, end] of [
    [1011, { message: "ws://here:1 closed the socket with 1011: why" }],
    [4401, { message: "ws://here:1 does not let us in any more: why", final: true }],
  ] as const) {
    const { asked, ended, first, opened } = opening(() => refusal(401, "no"));
    (await first()).open().end(code, "why");
    expect([await ended, asked, opened.mock.calls.length]).toEqual([end, [], 1]);
  }
});
