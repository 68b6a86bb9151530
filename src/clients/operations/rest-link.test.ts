import { describe, expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { settle } from "../../testing/scripted.ts";
import { type Request, RestLink, serverUrl } from "./rest-link.ts";

const broken = () => Promise.reject(new TypeError("fetch failed"));
const never = () => new Promise<Response>(() => {});
const done = async () => Response.json({ done: true });

/** A link whose fetch gives these in turn, and the requests that it was given. */
function linkTo(url: string, ...answers: (() => Promise<Response>)[]) {
  const calls: { url: string; init: RequestInit }[] = [];
  const fetch = (address: URL, init: RequestInit) => {
    calls.push({ url: address.href, init });
    return (answers[calls.length - 1] ?? done)();
  };
  const clock = new ManualClock();
  const options = { url: serverUrl(url), clock, timeoutMs: 30_000, fetch: fetch as typeof globalThis.fetch };
  return { link: new RestLink(options), calls, clock };
}

const reading: Request = { method: "GET", path: "features" };
const changing: Request = { method: "POST", path: "features", body: { id: "001" } };

describe("a request", () => {
  test("goes below the path that the server has, says who it is, and follows nobody", async () => {
    const { link, calls } = linkTo("https://host.test/dragoman", done);
    await link.send({ ...changing, query: { limit: 2, after: undefined } }, "s1");
    expect(calls).toEqual([
      {
        url: "https://host.test/dragoman/api/v1/features?limit=2",
        init: {
          method: "POST",
          headers: { accept: "application/json", "content-type": "application/json", authorization: "Bearer s1" },
          credentials: "omit",
          redirect: "manual",
          body: '{"id":"001"}',
          signal: expect.any(AbortSignal),
        },
      },
    ]);
  });

  test("that reads is made a second time when the connection broke, and not a third", async () => {
    const once = linkTo("http://host.test", broken);
    expect([await once.link.send(reading, "s1"), once.calls.length]).toEqual([{ done: true }, 2]);
    const twice = linkTo("http://host.test", broken, broken);
    await expect(twice.link.send(reading, "s1")).rejects.toMatchObject({ code: "unreachable" });
    expect(twice.calls.length).toBe(2);
  });

  test.each(["POST", "PUT"] as const)("that changes something is made once: %s", async (method) => {
    const { link, calls } = linkTo("http://host.test", broken);
    await expect(link.send({ ...changing, method }, "s1")).rejects.toMatchObject({ code: "unreachable" });
    expect(calls.length).toBe(1);
  });

  test("that was refused is not made again", async () => {
    const { link, calls } = linkTo("http://host.test", async () => Response.json({}, { status: 503 }));
    await expect(link.send(reading, "s1")).rejects.toMatchObject({ code: "refused", status: 503 });
    expect(calls.length).toBe(1);
  });
});

describe("the time of a request", () => {
  test.each([
    ["the link's own", undefined, 30_000],
    ["that of the call", 500, 500],
  ])("is %s, also for a fetch that cannot be aborted", async (_, timeoutMs, ms) => {
    const { link, clock, calls } = linkTo("http://host.test", never);
    const failure = link.send(reading, "s1", { timeoutMs }).catch((error) => error);
    let failed = false;
    failure.then(() => (failed = true));
    clock.advance(ms - 1);
    await settle();
    expect(failed).toBe(false);
    clock.advance(1);
    expect(await failure).toMatchObject({
      code: "timeout",
      message: `GET features was not answered within ${ms} ms`,
    });
    expect([calls.length, calls[0]?.init.signal?.aborted]).toEqual([1, true]);
  });

  test("has no end if it is Infinity", async () => {
    let answer: (response: Response) => void = () => {};
    const late = () => new Promise<Response>((resolve) => (answer = resolve));
    const { link, clock } = linkTo("http://host.test", late);
    const sent = link.send(reading, "s1", { timeoutMs: Number.POSITIVE_INFINITY });
    clock.advance(24 * 3_600_000);
    answer(await done());
    expect(await sent).toEqual({ done: true });
  });

  test("ends with the caller's signal, and does not begin after it", async () => {
    const { link, calls } = linkTo("http://host.test", never);
    const left = new AbortController();
    const sent = link.send(reading, "s1", { signal: left.signal });
    left.abort("enough");
    await expect(sent).rejects.toMatchObject({ code: "aborted", cause: "enough" });
    await expect(link.send(reading, "s1", { signal: left.signal })).rejects.toMatchObject({ code: "aborted" });
    expect([calls.length, calls[0]?.init.signal?.aborted]).toEqual([1, true]);
  });

  test("costs nobody anything when what it did not wait for fails later", async () => {
    let fail: (error: Error) => void = () => {};
    const { link, clock, calls } = linkTo("http://host.test", () => new Promise((_, reject) => (fail = reject)));
    const failure = link.send(reading, "s1").catch(({ code }) => code);
    clock.advance(30_000);
    expect(await failure).toBe("timeout");
    fail(new TypeError("fetch failed")); // an unhandled rejection fails the run
    await settle();
    expect(calls.length).toBe(1);
  });
});

test("an answer of more than 16 MB is given up", async () => {
  let chunks = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (chunks++ < 20) controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
      else controller.close();
    },
    cancel() {
      cancelled = true;
    },
  });
  const { link } = linkTo("http://host.test", async () => new Response(body));
  await expect(link.send(reading, "s1")).rejects.toMatchObject({ code: "overflow" });
  expect([chunks < 20, cancelled]).toEqual([true, true]);
});
