import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import { randomId } from "../core/ids.ts";
import type { NodeInfo } from "../core/nodes.ts";
import { thisProcess } from "../core/process-identity.ts";
import type { Draft, Fence, Range, Store } from "../core/store.ts";
import { emptySummary, summarize } from "../core/summary.ts";
import { AT, all, claimed, gone, nodeInfo, note, stale, text } from "../testing/store-fixtures.ts";

type Step =
  | { do: "append"; session: number; texts: string[]; back: number; old: boolean; wait: boolean }
  | { do: "claim"; session: number; by: number; wait: boolean }
  | { do: "release"; session: number; old: boolean }
  | { do: "leave"; by: number }
  | { do: "join"; by: number }
  | { do: "read"; session: number; after?: number; before?: number; limit: number; notes: boolean };

const session = fc.nat(2);
/** The last of the nodes is one whose process is gone. */
const by = fc.nat(3);
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
  { weight: 3, arbitrary: fc.record({ do: fc.constant("claim" as const), session, by, wait: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("release" as const), session, old: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("leave" as const), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("join" as const), by }) },
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
  sessionId: string;
  fences: Fence[];
  owner?: string;
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

/** Does to a store and to the model of it the same, without waiting for the store's answers where the model knows them. */
class Play {
  readonly models: Model[] = [];
  readonly nodes = [...Array(3).fill(thisProcess()), gone].map((identity) => nodeInfo(randomId(), identity));
  readonly #joined = new Set<string>();
  #running: Promise<unknown>[] = [];

  constructor(readonly store: Store) {}

  async start(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const fence = await claimed(this.store);
      this.models.push({ sessionId: fence.sessionId, fences: [fence], owner: "node", log: [] });
    }
    for (const by of this.nodes.keys()) this.join(by);
  }

  async settle(): Promise<void> {
    await Promise.all(this.#running.splice(0));
  }

  join(by: number): void {
    const info = this.nodes[by] as NodeInfo;
    this.#joined.add(info.node);
    this.#running.push(this.store.nodes.join(info));
  }

  leave(by: number): void {
    const { node } = this.nodes[by] as NodeInfo;
    for (const model of this.models) if (model.owner === node) model.owner = undefined;
    this.#joined.delete(node);
    this.#running.push(this.store.nodes.leave(node));
  }

  claim(model: Model, by: number): void {
    const { sessionId, owner, fences } = model;
    const { node } = this.nodes[by] as NodeInfo;
    const claim = this.store.claim(sessionId, node);
    if (owner !== undefined && owner !== node && this.#lives(owner)) {
      this.#running.push(expect(claim).resolves.toBeUndefined());
      return;
    }
    const fence = { sessionId, epoch: (fences.at(-1)?.epoch ?? 0) + 1 };
    const lost = owner === undefined || owner === node ? {} : { lost: owner };
    this.#running.push(expect(claim).resolves.toEqual({ ...fence, ...lost }));
    fences.push(fence);
    model.owner = node;
  }

  release(model: Model, old: boolean): void {
    const fence = this.#fence(model, old);
    this.#running.push(this.store.release(fence));
    if (fence === model.fences.at(-1)) model.owner = undefined;
  }

  append(model: Model, drafts: Draft[], old: boolean): void {
    const fence = this.#fence(model, old);
    const appended = this.store.append(model.sessionId, drafts, fence);
    this.#running.push(
      fence === model.fences.at(-1)
        ? expect(appended).resolves.toEqual(modelAppend(model, drafts))
        : expect(appended).rejects.toEqual(stale),
    );
  }

  async read(model: Model, range: Range): Promise<void> {
    await this.settle();
    expect(await this.store.read(model.sessionId, range)).toEqual(range.limit === 0 ? [] : expected(model, range));
  }

  /** The store says the same as the model, of everything. */
  async compare(): Promise<void> {
    await this.settle();
    for (const { sessionId, fences, owner, log } of this.models) {
      expect(await all(this.store, sessionId)).toEqual(log);
      const summary = log.reduce(summarize, emptySummary(sessionId));
      expect(await this.store.session(sessionId)).toEqual(log.length > 0 ? summary : undefined);
      const known = this.nodes.find(({ node }) => node === owner && this.#joined.has(node));
      const state = known === this.nodes.at(-1) ? "gone" : "alive";
      const expected = { ...known, ...fences.at(-1), state, seenAt: expect.any(Number) };
      expect(await this.store.nodes.owner(sessionId)).toEqual(known && expected);
    }
    for (const by of this.nodes.keys()) this.leave(by);
    await this.settle();
  }

  #fence({ fences }: Model, old: boolean): Fence {
    return (old ? fences[0] : fences.at(-1)) as Fence;
  }

  #lives(node: string): boolean {
    return this.#joined.has(node) && node !== this.nodes.at(-1)?.node;
  }
}

async function take(play: Play, one: Step, n: number): Promise<void> {
  if (one.do === "join" || one.do === "leave") return play[one.do](one.by);
  const model = play.models[one.session] as Model;
  if (one.do === "claim") play.claim(model, one.by);
  if (one.do === "release") play.release(model, one.old);
  if (one.do === "append") {
    const drafts = one.texts.map((t, i) => (i % 2 ? note : text)(t, AT + n - one.back));
    play.append(model, drafts, one.old);
  }
  if (one.do === "read") {
    const { after, before, limit, notes } = one;
    await play.read(model, { after, before, limit, type: notes ? "note" : undefined });
  }
  if ("wait" in one && one.wait) await play.settle();
}

export function modelContract(opened: () => Store): void {
  describe("as a whole", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    test("behaves as a list of events and an owner per session, under any interleaving", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const play = new Play(store);
          await play.start();
          for (const [n, one] of steps.entries()) await take(play, one, n);
          await play.compare();
        }),
        { numRuns: 40 },
      );
    });
  });
}
