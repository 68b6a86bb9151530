import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../core/errors.ts";
import { encodeComment, encodeEvent, SseDecoder, type SseEvent } from "./sse.ts";

const utf8 = new TextEncoder();
const bytes = (text: string) => utf8.encode(text);
const tooLarge = (maxBytes: number) =>
  new DragomanError("too_large", `An event is larger than ${maxBytes} bytes`, { maxBytes });

interface Outcome {
  events: (SseEvent | DragomanError)[];
  lastEventId: string;
  retry: number | undefined;
}

function decode(chunks: Uint8Array[], options?: { maxBytes?: number; lastEventId?: string }): Outcome {
  const decoder = new SseDecoder(options);
  const events = chunks.flatMap((chunk) => decoder.push(chunk));
  return { events, lastEventId: decoder.lastEventId, retry: decoder.retry };
}

const eventsOf = (text: string, options?: { maxBytes: number }) => decode([bytes(text)], options).events;
const message = (data: string, id = ""): SseEvent => ({ id, event: "message", data });

/** Cuts into pieces of the given sizes, over and over. */
function cut(whole: Uint8Array, sizes: number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, i = 0; at < whole.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    pieces.push(whole.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** "Interpreting an event stream", WHATWG HTML 9.2.6, sentence by sentence, for a stream that is there as a whole. */
function reference(stream: Uint8Array): Outcome {
  const outcome: Outcome = { events: [], lastEventId: "", retry: undefined };
  let [data, type, id] = ["", "", ""];
  // Decoding drops one leading BOM. The text after the last line end is not a line yet.
  const lines = new TextDecoder()
    .decode(stream)
    .split(/\r\n|\n|\r/)
    .slice(0, -1);
  for (const line of lines) {
    if (line === "") {
      outcome.lastEventId = id;
      if (data !== "")
        outcome.events.push({ id, event: type === "" ? "message" : type, data: data.replace(/\n$/, "") });
      [data, type] = ["", ""];
      continue;
    }
    if (line.startsWith(":")) continue;
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (field === "event") type = value;
    if (field === "data") data += `${value}\n`;
    if (field === "id" && !value.includes("\0")) id = value;
    if (field === "retry" && /^[0-9]+$/.test(value)) outcome.retry = Number.parseInt(value, 10);
  }
  return outcome;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
const words = ["data", "event", "id", "retry", ":", ": ", " ", "\n", "\r", "\r\n", "x", "12", "\0", "😀", "\ufeff"];
const lines = ["data: a\n", "event: b\n", "id: c\n", ": d\n", "retry: 5\n", "\n\n"];
const soup = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...words, ...lines).map(bytes) }, fc.uint8Array({ maxLength: 3 })),
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

describe("decoding", () => {
  test("reads the examples of the standard", () => {
    expect(eventsOf("data: YHOO\ndata: +2\ndata: 10\n\n")).toEqual([message("YHOO\n+2\n10")]);
    expect(
      eventsOf(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event"),
    ).toEqual([message("first event", "1"), message("second event")]);
    expect(eventsOf("data\n\ndata\ndata\n\ndata:")).toEqual([message(""), message("\n")]);
    expect(eventsOf("data:test\n\ndata: test\n\n")).toEqual([message("test"), message("test")]);
  });

  test("ends a line at LF, CR and CRLF, also at a CRLF that was cut in two", () => {
    const chunks = ["data: a\r", "\ndata: b\r\r", "data: c\n\ndata: d\r\n\r", "\ndata: e\n", "\n"];
    const decoder = new SseDecoder();
    expect(chunks.map((chunk) => decoder.push(bytes(chunk)))).toEqual([
      [],
      [message("a\nb")],
      [message("c"), message("d")],
      [],
      [message("e")],
    ]);
  });

  test("drops a BOM at the start of the stream and nowhere else", () => {
    expect(eventsOf("\ufeffdata: a\n\n\ufeffdata: b\n\ndata: \ufeffc\n\n")).toEqual([message("a"), message("\ufeffc")]);
  });

  test("gives a type to one event only", () => {
    expect(eventsOf("event: note\ndata: a\n\ndata: b\n\nevent: note\n\ndata: c\n\n")).toEqual([
      { id: "", event: "note", data: "a" },
      message("b"),
      message("c"),
    ]);
  });

  test("keeps the last id for events without one, and across connections", () => {
    expect(
      decode([bytes("data: a\n\nid: 8\n\ndata: b\n\nid: 9\0\ndata: c\n\nid: 10\n")], { lastEventId: "7" }),
    ).toEqual({
      events: [message("a", "7"), message("b", "8"), message("c", "8")],
      lastEventId: "8",
      retry: undefined,
    });
  });

  test("takes a retry of digits only, and none that would overflow a timer", () => {
    const retryOf = (text: string) => decode([bytes(`retry: ${text}\n`)]).retry;
    expect(["1500", "1.5", "-1", "", "x", "9".repeat(400)].map(retryOf)).toEqual([
      1500,
      undefined,
      undefined,
      undefined,
      undefined,
      2 ** 31 - 1,
    ]);
  });

  test("reports an event with too long a line at once, skips all of it, and goes on", () => {
    const decoder = new SseDecoder({ maxBytes: 10 });
    const chunks = ["id: 1\n\nid: 2\ndata: 123", "45", "\ndata: 123456789", "\n", "\ndata: ok\n\n"];
    expect(chunks.map((chunk) => decoder.push(bytes(chunk)))).toEqual([
      [],
      [tooLarge(10)],
      [],
      [],
      [message("ok", "1")],
    ]);
  });

  test("reports an event whose lines are too large together, once, and goes on", () => {
    expect(eventsOf(`${"data: 1\n".repeat(50)}\ndata: ok\n\n`, { maxBytes: 20 })).toEqual([
      tooLarge(20),
      message("ok"),
    ]);
  });

  test("is not filled up by comments", () => {
    expect(eventsOf(`data: a\n${": alive\n".repeat(50)}\n`, { maxBytes: 20 })).toEqual([message("a")]);
  });

  test("gives the same events however the bytes are chunked", () => {
    fc.assert(
      fc.property(soup, sizes, fc.integer({ min: 1, max: 40 }), (stream, pieces, maxBytes) => {
        expect(decode(cut(stream, pieces), { maxBytes })).toEqual(decode([stream], { maxBytes }));
      }),
      { numRuns: 500 },
    );
  });

  test("agrees with the standard on any stream", () => {
    fc.assert(
      fc.property(soup, sizes, (stream, pieces) => {
        const expected = reference(stream);
        expect(decode(cut(stream, pieces))).toEqual({
          ...expected,
          retry: expected.retry && Math.min(expected.retry, 2 ** 31 - 1),
        });
      }),
      { numRuns: 2000 },
    );
  });

  test("never throws on garbage and never loses the good event after it", () => {
    fc.assert(
      fc.property(soup, sizes, fc.integer({ min: 10, max: 40 }), (garbage, pieces, maxBytes) => {
        const stream = Uint8Array.from([...garbage, ...bytes("\n\nid: 5\ndata: x\n\n")]);
        expect(decode(cut(stream, pieces), { maxBytes: maxBytes + 10 }).events.at(-1)).toEqual(message("x", "5"));
      }),
    );
  });
});

describe("encoding", () => {
  test("writes one field to a line and one data line for each line of the data", () => {
    expect(encodeEvent({ id: "7.0", event: "note", retry: 1000, data: "a\nb\r\nc\rd\n" })).toBe(
      "id: 7.0\nevent: note\nretry: 1000\ndata: a\ndata: b\ndata: c\ndata: d\ndata: \n\n",
    );
  });

  test("writes comments that no decoder takes for an event", () => {
    const comment = encodeComment("alive\ndata: not an event\n\n");
    expect(comment).toBe(": alive\n: data: not an event\n: \n: \n\n");
    expect(eventsOf(comment)).toEqual([]);
  });

  test.each([
    [{ id: "1\n2", data: "" }, "The id of a server-sent event cannot hold CR, LF or NUL"],
    [{ id: "1\0", data: "" }, "The id of a server-sent event cannot hold CR, LF or NUL"],
    [{ event: "a\rdata: forged", data: "" }, "The event of a server-sent event cannot hold CR, LF or NUL"],
    [{ retry: 1.5, data: "" }, "The retry of a server-sent event must be whole milliseconds, not 1.5"],
    [{ retry: -1, data: "" }, "The retry of a server-sent event must be whole milliseconds, not -1"],
  ])("refuses %j", (fields, reason) => {
    expect(() => encodeEvent(fields)).toThrow(new DragomanError("invalid_request", reason));
  });

  test("is undone by decoding, for any text and any chunking", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("\n", "\r", " ", ":", "\u2028", "\ufeff", "\0", "\ud800", "😀", "a") }),
    );
    const line = text.map((value) => value.replace(/[\r\n\0]/g, ""));
    const fields = fc.record({ id: line, event: line, data: text });
    // UTF-8 has no lone surrogates, and the format no line end but LF.
    const onTheWire = (value: string) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes(value));
    fc.assert(
      fc.property(fc.array(fields), sizes, (sent, pieces) => {
        const stream = bytes(sent.map((event) => encodeEvent(event)).join(encodeComment("alive")));
        expect(decode(cut(stream, pieces)).events).toEqual(
          sent.map(({ id, event, data }) => ({
            id: onTheWire(id),
            event: onTheWire(event) || "message",
            data: onTheWire(data.replace(/\r\n?/g, "\n")),
          })),
        );
      }),
    );
  });
});
