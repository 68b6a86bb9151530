import fc from "fast-check";
import { expect, test } from "vitest";
import { type Message, message } from "./messages.ts";
import { serialise } from "./serialise.ts";

const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.string());

const anyMessage: fc.Arbitrary<Message> = fc.record(
  {
    id: fc.uuid(),
    operation_id: fc.uuid(),
    sequence: fc.integer({ min: -2, max: 2 ** 40 }),
    log_seq: fc.option(fc.integer({ min: 1, max: 2 ** 53 - 1 }), { nil: undefined }),
    type: fc.constantFrom("thinking", "execution", "error", "complete", "system"),
    content: text,
    timestamp: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31") })
      .map((date) => date.toISOString()),
    sender: fc.constantFrom("copilot", "system"),
    metadata: fc.option(
      fc.record({ subsection: text, dropped: fc.array(fc.nat()), secret: fc.boolean() }, { requiredKeys: [] }),
      { nil: undefined },
    ),
  },
  { requiredKeys: ["id", "operation_id", "sequence", "type", "content", "timestamp", "sender"] },
);

test("a message is the text that JSON.stringify makes of it", () => {
  fc.assert(
    fc.property(anyMessage, (any) => {
      expect(message.safeParse(any).success).toBe(true);
      expect(serialise(any)).toBe(JSON.stringify(any));
    }),
  );
});

test("every character of a content is quoted as JSON.stringify does it, alone and between others", () => {
  const about: Message = {
    id: "6f1f7a44-3c1b-4a43-9a35-5e0f8e5ad3c1",
    operation_id: "b3a5b0c2-6d53-4d52-9d0f-8f6a3a1c2b12",
    sequence: 0,
    type: "execution",
    content: "",
    timestamp: "2026-01-02T03:04:05.678Z",
    sender: "copilot",
  };
  for (let unit = 0; unit <= 0xffff; unit++) {
    const character = String.fromCharCode(unit);
    for (const content of [character, `a${character}b`]) {
      const any = { ...about, content };
      if (serialise(any) !== JSON.stringify(any)) expect.fail(`U+${unit.toString(16)}`);
    }
  }
});
