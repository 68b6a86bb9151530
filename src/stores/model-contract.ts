import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import type { Draft, Fence, Range, Store } from "../core/store.ts";
import { emptySummary, summarize } from "../core/summary.ts";
import { AT, all, claimed, note, stale, text } from "../testing/store-fixtures.ts";

type Step =
  | { do: "append"; session: number; texts: string[]; back: number; old: boolean; wait: boolean }
  | { do: "claim"; session: number }
  | { do: "read"; session: number; after?: number; before?: number; limit: number; notes: boolean };

const session = fc.nat(2);
const seq = fc.option(fc.nat(12), { nil: undefined });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      session,
      texts: fc.array(fc.string({ unit: "binary", maxLength: 5 }), { maxLength: 4 }),
      back: fc.nat(5),
      old: fc.boolean(),
      wait: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("claim" as const), session }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("read" as const),
      session,
      after: seq,
      before: seq,
      limit: fc.nat(8),
      notes: fc.boolean(),
    }),
  },
);

interface Model {
  fences: Fence[];
  log: Event[];
}

/** What a read of such a log must give, said in the plainest way. */
function expected({ log }: Model, { after, before, limit, type }: Range): Event[] {
  const found = log.filter((e) => e.seq > (after ?? 0) && e.seq < (before ?? 1e9) && (!type || e.type === type));
  return before !== undefined && after === undefined ? found.slice(-limit || found.length) : found.slice(0, limit);
}

function modelAppend(model: Model, drafts: Draft[]): Event[] {
  return drafts.map((draft) => {
    const last = model.log.at(-1);
    const event = { ...draft, seq: model.log.length + 1, at: Math.max(draft.at, last?.at ?? 0) };
    model.log.push(event);
    return event;
  });
}

async function play(store: Store, steps: Step[]): Promise<Model[]> {
  const models: Model[] = [];
  for (let i = 0; i < 3; i++) models.push({ fences: [await claimed(store)], log: [] });
  let running: Promise<unknown>[] = [];
  const settle = async () => {
    await Promise.all(running);
    running = [];
  };
  for (const [n, one] of steps.entries()) {
    const model = models[one.session] as Model;
    const { sessionId } = model.fences[0] as Fence;
    if (one.do === "claim") model.fences.push(await store.claim(sessionId, `node ${n}`));
    if (one.do === "append") {
      const drafts = one.texts.map((t, i) => (i % 2 ? note : text)(t, AT + n - one.back));
      const fence = (one.old ? model.fences[0] : model.fences.at(-1)) as Fence;
      const appended = store.append(sessionId, drafts, fence);
      running.push(
        fence === model.fences.at(-1)
          ? expect(appended).resolves.toEqual(modelAppend(model, drafts))
          : expect(appended).rejects.toEqual(stale),
      );
      if (one.wait) await settle();
    }
    if (one.do === "read") {
      await settle();
      const { after, before, limit, notes } = one;
      const range: Range = { after, before, limit, type: notes ? "note" : undefined };
      expect(await store.read(sessionId, range)).toEqual(limit === 0 ? [] : expected(model, range));
    }
  }
  await settle();
  return models;
}

export function modelContract(opened: () => Store): void {
  describe("as a whole", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    test("behaves as a list of events per session under any interleaving", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          for (const { fences, log } of await play(store, steps)) {
            const { sessionId } = fences[0] as Fence;
            expect(await all(store, sessionId)).toEqual(log);
            const summary = log.reduce(summarize, emptySummary(sessionId));
            expect(await store.session(sessionId)).toEqual(log.length > 0 ? summary : undefined);
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}
