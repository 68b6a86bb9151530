import { expect, test } from "vitest";

interface Request {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}
const { Network } = (await import(new URL("./network.js", import.meta.url).href)) as {
  Network: new (
    link: { send(type: string, payload: object): void },
    newError: (message: string) => Error,
  ) => {
    send(request: Request, signal: AbortSignal): Promise<unknown>;
    answer(answer: object): void;
  };
};

const asked = { method: "GET", url: "https://api.example.com/pets", headers: {} };
const { signal } = new AbortController();

test("sends what fits, and says of the rest which bound it breaks", async () => {
  const sent: string[] = [];
  const network = new Network({ send: (type) => sent.push(type) }, (message) => new Error(`Not sent: ${message}`));
  const why = (more: Partial<Request>) => network.send({ ...asked, ...more }, signal).catch(({ message }) => message);
  const large = new Blob(["x".repeat(10 * 1024 * 1024), "x"]);
  const tooLarge = "Not sent: A request has at most 10 MB, in at most 1000 parts.";
  expect(await why({ body: large })).toBe(tooLarge);
  expect(await why({ body: Array(1001).fill({ name: "a", value: "b" }) })).toBe(tooLarge);
  expect(await why({ url: "x".repeat(16385) })).toBe(
    "Not sent: The address of a request has at most 16384 characters.",
  );
  expect(await why({ headers: { a: "x".repeat(16385) } })).toMatch(/at most 200 headers/);
  expect(sent).toEqual([]);
  const answer = network.send({ ...asked, body: "fits" }, signal);
  network.answer({ requestId: "1", status: 204, headers: {}, body: "" });
  expect([sent, await answer]).toEqual([["NETWORK_REQUEST"], { status: 204, headers: {}, body: "" }]);
});
