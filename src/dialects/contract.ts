import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorCodes } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import { arbitraryLog } from "../testing/arbitrary-log.ts";
import { recordings } from "../testing/recordings.ts";
import type { Dialect, NumberedFrame } from "./dialect.ts";
import { profileOf } from "./profile-of.ts";

const sessionId = "0b0d9a4e-1a55-4a3f-9c0e-2f6a3f1f7c11";

export function foldAll(dialect: Dialect, events: Event[], profile: unknown, of = sessionId): NumberedFrame[] {
  const fold = dialect.fold(of, profile);
  return events.flatMap((event) => fold.push(event));
}

/** As a client gets it that comes back after `cut`: the fold begins at the start of the run in which the cut lies. */
export function foldAfter(dialect: Dialect, events: Event[], cut: number, profile: unknown): NumberedFrame[] {
  const start = events.findLast((event) => event.seq <= cut && event.type === "run.started")?.seq ?? 1;
  const fold = dialect.fold(sessionId, profile);
  return events.slice(start - 1).flatMap((event) => fold.push(event).filter(() => event.seq > cut));
}

export function profilesOf(dialect: Dialect): Record<"least" | "most", unknown> {
  return { least: profileOf(dialect, "nothing"), most: profileOf(dialect, "everything") };
}

/** The ids that a message has for itself, wherever its wire puts them. */
function identities(message: unknown): string[] {
  const { id, operation_id = "", sequence, jsonrpc, params, data } = message as Record<string, unknown>;
  const { run_id, seq } = (params ?? {}) as Record<string, unknown>;
  const { messageId } = (data ?? {}) as Record<string, unknown>;
  return [
    ...(id !== undefined && jsonrpc === undefined ? [`id ${id}`] : []),
    ...(sequence !== undefined ? [`sequence ${operation_id} ${sequence}`] : []),
    ...(seq !== undefined ? [`seq ${run_id} ${seq}`] : []),
    ...(messageId !== undefined ? [`message ${messageId}`] : []),
  ];
}

const wire = (frames: NumberedFrame[]) => frames.map(({ seq, k, event = "", text }) => `${seq}.${k} ${event} ${text}`);

/** What every dialect must keep. A new one runs this in a test of one line. */
export function dialectContract(dialect: Dialect): void {
  describe(`the ${dialect.name} dialect`, () => {
    for (const [which, profile] of Object.entries(profilesOf(dialect))) {
      const isValid = (frames: NumberedFrame[]) => {
        for (const frame of frames) {
          const onTheWire = JSON.parse(JSON.stringify(frame.message));
          expect(dialect.message.safeParse(onTheWire).error?.issues ?? [], frame.text).toEqual([]);
          if (frame.event === undefined) expect(JSON.parse(frame.text)).toEqual(onTheWire);
        }
      };

      test.each([...recordings])(`gives valid messages for %s (${which})`, (_, { events }) => {
        const frames = foldAll(dialect, events, profile);
        expect(frames.length).toBeGreaterThan(0);
        isValid(frames);
      });

      test(`gives valid messages for any log (${which})`, () => {
        fc.assert(
          fc.property(arbitraryLog, (events) => isValid(foldAll(dialect, events, profile))),
          { numRuns: 100 },
        );
      });

      test.each([...recordings])(`goes on after any cut of %s with the same bytes (${which})`, (_, { events }) => {
        const whole = foldAll(dialect, events, profile);
        const goesOn = (cut: number) => {
          expect(wire(foldAfter(dialect, events, cut, profile))).toEqual(wire(whole.filter(({ seq }) => seq > cut)));
        };
        if (events.length <= 200) for (let cut = 0; cut <= events.length; cut++) goesOn(cut);
        else fc.assert(fc.property(fc.integer({ min: 0, max: events.length }), goesOn), { numRuns: 30 });
      });

      test(`goes on after any cut of any log with the same bytes (${which})`, () => {
        fc.assert(
          fc.property(arbitraryLog, (events) => {
            const whole = foldAll(dialect, events, profile);
            for (let cut = 0; cut <= events.length; cut++) {
              expect(wire(foldAfter(dialect, events, cut, profile))).toEqual(
                wire(whole.filter(({ seq }) => seq > cut)),
              );
            }
          }),
          { numRuns: 60 },
        );
      });
    }

    test("gives the messages of one event the numbers 0, 1, 2 ...", () => {
      fc.assert(
        fc.property(arbitraryLog, (events) => {
          const fold = dialect.fold(sessionId);
          for (const event of events) {
            const frames = fold.push(event);
            expect(frames.map(({ seq, k }) => [seq, k])).toEqual(frames.map((_, k) => [event.seq, k]));
          }
        }),
      );
    });

    test("gives no two messages of a run the same id or number", () => {
      fc.assert(
        fc.property(arbitraryLog, (events) => {
          const { most } = profilesOf(dialect);
          const frames = foldAll(dialect, events, most).filter((frame) => !frame.ask);
          const ids = frames.flatMap(({ message, event = "" }) => identities(message).map((id) => `${event} ${id}`));
          expect(ids.length).toBe(new Set(ids).size);
        }),
      );
    });

    test("says of every run that it has ended", () => {
      const quiet: Event[] = [];
      fc.assert(
        fc.property(arbitraryLog, (events) => {
          const { most } = profilesOf(dialect);
          const fold = dialect.fold(sessionId, most);
          for (const event of events) {
            const frames = fold.push(event);
            const ends =
              event.type === "run.completed" || event.type === "run.failed" || event.type === "run.cancelled";
            if (ends && frames.length === 0) quiet.push(event);
          }
        }),
      );
      expect(quiet).toEqual([]);
    });

    test("leaves out nothing but thinking for a client that fell behind, and says so in a valid message", () => {
      for (const { events } of recordings.values()) {
        const { most } = profilesOf(dialect);
        const asides = ["thinking.delta", "note", "context.compacted"]; // a wire may have no better word for the last two
        const without = events.filter((event) => !asides.includes(event.type));
        expect(foldAll(dialect, without, most).filter((frame) => frame.skippable)).toEqual([]);
        const [first, ...others] = foldAll(dialect, events, most).filter((frame) => frame.skippable);
        if (!first) continue;
        const notice = dialect.fold(sessionId, most).lost([first, ...others]);
        expect(dialect.message.safeParse(JSON.parse(JSON.stringify(notice.message))).error?.issues ?? []).toEqual([]);
      }
    });

    test("says in a valid message which events are gone, as the connection's word and not the log's", () => {
      for (const profile of Object.values(profilesOf(dialect))) {
        const notice = dialect.fold(sessionId, profile).gap({ from: 1234, to: 5678, at: 1_700_000_000_123 });
        expect(dialect.message.safeParse(JSON.parse(JSON.stringify(notice.message))).error?.issues ?? []).toEqual([]);
        expect(notice.text).toContain("5678");
        expect([notice.skippable, notice.ask, "seq" in notice, "k" in notice]).toEqual([
          false,
          undefined,
          false,
          false,
        ]);
      }
    });

    test("folds what comes after a gap as if it were the beginning", () => {
      fc.assert(
        fc.property(arbitraryLog, fc.nat(), (events, at) => {
          const starts = events.filter((event) => event.type === "run.started").map(({ seq }) => seq);
          const from = starts[at % Math.max(1, starts.length)] ?? 1;
          const { most } = profilesOf(dialect);
          const fold = dialect.fold(sessionId, most);
          for (const event of events.slice(0, at % events.length)) fold.push(event);
          fold.gap({ from: (at % events.length) + 1, to: from - 1, at: 0 });
          const rest = events.slice(from - 1);
          expect(wire(rest.flatMap((event) => fold.push(event)))).toEqual(wire(foldAll(dialect, rest, most)));
        }),
        { numRuns: 60 },
      );
    });

    test("has an error of its wire for every code", () => {
      expect(Object.keys(dialect.errors).sort()).toEqual([...errorCodes].sort());
    });
  });
}
