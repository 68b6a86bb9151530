import { afterAll, beforeAll, expect, test } from "vitest";
import { type StubModel, startStubModel } from "../index.ts";
import { type JsonObject, objectOf, stringOf } from "../json-values.ts";

// What every wire does over real HTTP, whole and streamed, read as its own clients read it: the two ways give the same.

/** What a client of the wire has in the end. */
export interface Read {
  thought: string;
  said: string;
  calls: { name: string; input: unknown }[];
  stop: unknown;
  usage: unknown;
}

/** How a client of a wire asks and reads. */
export interface Speaker {
  path(stream: boolean): string;
  body(prompt: string, stream: boolean): JsonObject;
  /** The same conversation after the tool of its first answer has said something. */
  continued(prompt: string, said: string): JsonObject;
  whole(body: JsonObject): Read;
  streamed(events: SseEvent[]): Read;
  failure(message: string): unknown;
  /** What is changed of a request that wants JSON, in every way that there is. */
  wants(schema: JsonObject): JsonObject[];
  /** How the wire calls an end, and one for a call. */
  stops: [end: string, call: string];
}

export interface SseEvent {
  event?: string;
  data: string;
}

export const parameters = {
  type: "object",
  properties: { command: { type: "string" } },
  required: ["command"],
};
export const json = (text: unknown): JsonObject => objectOf(JSON.parse(stringOf(text)));
export const joined = (texts: unknown[]) => texts.map((text) => stringOf(text)).join("");
export const dataOf = (events: SseEvent[]) => events.map(({ data }) => json(data));

export function eventsOf(text: string): SseEvent[] {
  expect(text).toMatch(/\n\n$/);
  return text
    .slice(0, -2)
    .split("\n\n")
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      const event = field("event");
      return { ...(event === undefined ? {} : { event }), data: field("data") ?? "" };
    });
}

export interface Client {
  post(path: string, body: unknown): Promise<Response>;
  /** What a client reads of an answer in one piece. */
  read(speaker: Speaker, change?: JsonObject, prompt?: string): Promise<Read>;
}

/** A stub model that is there while the tests of a file run. */
export function stubClient(): Client {
  let model: StubModel;
  beforeAll(async () => {
    model = await startStubModel({ pieceMs: 0 });
  });
  afterAll(() => model.close());
  const post = (path: string, body: unknown) =>
    fetch(model.url + path, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
  const read = async (speaker: Speaker, change: JsonObject = {}, prompt = "") => {
    const answer = await post(speaker.path(false), { ...speaker.body(prompt, false), ...change });
    return speaker.whole(objectOf(await answer.json()));
  };
  return { post, read };
}

async function readBoth({ post }: Client, speaker: Speaker, prompt: string): Promise<Read> {
  const whole = await post(speaker.path(false), speaker.body(prompt, false));
  expect(whole.headers.get("content-type")).toBe("application/json");
  const streamed = await post(speaker.path(true), speaker.body(prompt, true));
  expect(streamed.headers.get("content-type")).toBe("text/event-stream");
  const read = speaker.whole(objectOf(await whole.json()));
  expect(speaker.streamed(eventsOf(await streamed.text()))).toEqual(read);
  return read;
}

export function wireContract(client: Client, speaker: Speaker): void {
  const { post, read } = client;
  const [end, toolUse] = speaker.stops;

  test("tells thinking, texts and a call, whole and streamed", async () => {
    const script = '[[think Let me "see"…]] [[say Looking 😀.]] [[wait 1]] [[say Still.]] [[run echo "hi" > a.txt]]';
    expect(await readBoth(client, speaker, script)).toMatchObject({
      thought: 'Let me "see"…',
      said: "Looking 😀.\nStill.",
      calls: [{ name: "bash", input: { command: 'echo "hi" > a.txt' } }],
      stop: toolUse,
    });
  });

  test("tells a text alone", async () => {
    const told = await readBoth(client, speaker, "good morning");
    expect(told).toMatchObject({ thought: "", said: "You said: good morning", calls: [], stop: end });
  });

  test("goes on behind the result of the call", async () => {
    const body = speaker.continued("[[run ls]]", "a.txt\nb.txt");
    expect(await read(speaker, body)).toMatchObject({ said: "The tool said: a.txt\nb.txt", calls: [], stop: end });
  });

  test("counts more tokens for more text, the same for the same, and what was sent before as cached", async () => {
    const usage = async (body: JsonObject) => JSON.stringify((await read(speaker, body)).usage);
    const short = speaker.body("hello", false);
    expect(await usage(short)).toBe(await usage(short));
    expect(await usage(speaker.body("hello ".repeat(50), false))).not.toBe(await usage(short));
    expect(await usage(short)).toMatch(/cache[^,]*":0/);
    expect(await usage(speaker.continued("[[run ls]]", "a"))).toMatch(/cache[^,]*":[1-9]/);
  });

  test("fails in its own words", async () => {
    const answer = await post(speaker.path(true), speaker.body("[[fail 429 Slow down]]", true));
    expect([answer.status, await answer.json()]).toEqual([429, speaker.failure("Slow down")]);
  });

  test("refuses what is no JSON object in its own words", async () => {
    for (const body of ["{", "[]", ""]) {
      const answer = await post(speaker.path(false), body);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(await answer.json())).toContain("The body is no JSON object.");
    }
  });

  test("takes a body that has nothing of what it should for an empty conversation", async () => {
    const told = await read(speaker, { messages: 1, input: {}, contents: null, tools: "x" });
    expect(told.said).toBe("Hello from the stub model.");
  });

  test("tells JSON where it is asked for, and takes no step", async () => {
    const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    for (const change of speaker.wants(schema)) {
      const told = await read(speaker, change, "[[run ls]]");
      expect(told).toMatchObject({ said: '{"title":"stub title"}', calls: [] });
    }
  });
}
