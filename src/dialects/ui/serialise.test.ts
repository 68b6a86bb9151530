import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryLog } from "../../testing/arbitrary-log.ts";
import { foldAll } from "../contract.ts";
import { profileOf } from "../profile-of.ts";
import { ui } from "./index.ts";
import type { Message } from "./messages.ts";
import { serialise } from "./serialise.ts";

const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.string());

test("a message is the text that JSON.stringify makes of it", () => {
  const event = fc.record({
    type: fc.constantFrom("text" as const, "reasoning" as const),
    content: text,
    timestamp: fc.nat(),
  });
  const place = fc.record({ run_id: text, session_id: text, log_seq: fc.integer({ min: 1 }), seq: fc.nat(), event });
  fc.assert(
    fc.property(place, (params) => {
      const message: Message = { jsonrpc: "2.0", method: "agent.event", params };
      expect(serialise(message)).toBe(JSON.stringify(message));
    }),
  );
});

test("so is every message of any log", () => {
  fc.assert(
    fc.property(arbitraryLog, (log) => {
      for (const { message } of foldAll(ui, log, profileOf(ui, "everything"))) {
        expect(serialise(message as Message)).toBe(JSON.stringify(message));
      }
    }),
    { numRuns: 30 },
  );
});
