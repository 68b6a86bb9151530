import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { Delivery, Letter, Mailbox } from "../core/mailbox.ts";
import type { Store } from "../core/store.ts";
import { joined } from "../testing/store-fixtures.ts";

export function mailboxContract(opened: () => Store): void {
  describe("the mailbox", () => {
    let store: Store;
    let mailbox: Mailbox;

    beforeAll(() => {
      store = opened();
      mailbox = store.mailbox;
    });

    const letter = (to: string, from = "sender"): Letter => ({
      id: randomId(),
      sessionId: "session",
      epoch: 7,
      from,
      to,
      body: '{"do":"ü\u2028"}',
    });

    async function posted(to = randomId(), from?: string): Promise<Letter> {
      const one = letter(to, from);
      await mailbox.post(one);
      return one;
    }

    test("gives each letter once, to whom it is addressed, the oldest first", async () => {
      const [to, other] = [randomId(), randomId()];
      const letters = [await posted(to), await posted(to), await posted(to)];
      const elsewhere = await posted(other);
      expect(await mailbox.take(to)).toEqual(letters);
      expect(await mailbox.take(to)).toEqual([]);
      const later = await posted(to);
      expect(await mailbox.take(to)).toEqual([later]);
      expect(await mailbox.take(other)).toEqual([elsewhere]);
    });

    test("keeps the order of letters that were posted in one go", async () => {
      const to = randomId();
      const letters = Array.from({ length: 20 }, () => letter(to));
      await Promise.all(letters.map((one) => mailbox.post(one)));
      expect(await mailbox.take(to)).toEqual(letters);
    });

    test("gives each letter to one of those who take at once", async () => {
      const to = randomId();
      const posting = Array.from({ length: 20 }, () => posted(to));
      const takes = [...Array(10)].map(() => mailbox.take(to));
      const letters = await Promise.all(posting);
      const taken = [...(await Promise.all(takes)).flat(), ...(await mailbox.take(to))];
      expect(taken.map(({ id }) => id).sort()).toEqual(letters.map(({ id }) => id).sort());
    });

    test("says how far a letter is", async () => {
      const { id, to } = await posted();
      expect(await mailbox.delivery(id)).toEqual({ state: "waiting" });
      await mailbox.take(to);
      expect(await mailbox.delivery(id)).toEqual({ state: "taken" });
      expect(await mailbox.answer(id, "done")).toBe(true);
      expect(await mailbox.delivery(id)).toEqual({ state: "answered", reply: "done" });
      expect(await mailbox.delivery(randomId())).toBeUndefined();
    });

    test("keeps the first reply, and tells whoever comes later", async () => {
      const { id, to } = await posted();
      await mailbox.take(to);
      const answers = await Promise.all(["", "second", "third"].map((reply) => mailbox.answer(id, reply)));
      expect(answers).toEqual([true, false, false]);
      expect(await mailbox.delivery(id)).toEqual({ state: "answered", reply: "" });
      expect(await mailbox.answer(randomId(), "to nothing")).toBe(false);
    });

    test("gives a letter back to who withdraws it, however far it is, and to nobody after that", async () => {
      const [to, seen] = [randomId(), new Map<string, Delivery | undefined>()];
      const [answered, taken] = [await posted(to), await posted(to)];
      await mailbox.take(to);
      await mailbox.answer(answered.id, "done");
      const waiting = await posted(to);
      for (const { id } of [waiting, taken, answered]) seen.set(id, await mailbox.withdraw(id));
      expect([...seen.values()]).toEqual([
        { state: "waiting" },
        { state: "taken" },
        { state: "answered", reply: "done" },
      ]);
      expect(await mailbox.take(to)).toEqual([]);
      for (const id of seen.keys()) {
        expect(await mailbox.answer(id, "late")).toBe(false);
        expect(await mailbox.delivery(id)).toBeUndefined();
        expect(await mailbox.withdraw(id)).toBeUndefined();
      }
    });

    test("lets one answer count or the withdrawal, whichever is first, and both sides know which", async () => {
      const moves = fc.shuffledSubarray(["a", "b", "withdraw", "c", "take"] as const, { minLength: 2 });
      await fc.assert(
        fc.asyncProperty(fc.array(moves, { minLength: 1, maxLength: 10 }), async (letters) => {
          await Promise.all(
            letters.map(async (order) => {
              const { id, to } = await posted();
              await mailbox.take(to);
              const replies: string[] = [];
              let withdrawn: Delivery | undefined;
              await Promise.all(
                order.map(async (move) => {
                  if (move === "take") expect(await mailbox.take(to)).toEqual([]);
                  else if (move === "withdraw") withdrawn = await mailbox.withdraw(id);
                  else if (await mailbox.answer(id, move)) replies.push(move);
                }),
              );
              withdrawn ??= await mailbox.withdraw(id);
              expect(replies.length).toBeLessThanOrEqual(1);
              expect(withdrawn).toEqual(
                replies.length === 1 ? { state: "answered", reply: replies[0] } : { state: "taken" },
              );
            }),
          );
        }),
        { numRuns: 20 },
      );
    });

    test("rings at the receiver when there is a letter, and at the sender when there is a reply", async () => {
      const [to, from] = [randomId(), randomId()];
      const ring = (node: string) =>
        new Promise<void>((resolve) => {
          const stop = mailbox.wake(node, () => {
            stop();
            resolve();
          });
        });
      const arrived = ring(to);
      const one = await posted(to, from);
      await arrived;
      expect(await mailbox.take(to)).toEqual([one]);
      const replied = ring(from);
      await mailbox.answer(one.id, "done");
      await replied;
      expect(await mailbox.delivery(one.id)).toEqual({ state: "answered", reply: "done" });
    });

    test("rings for who listens still, and not before the letter is on its way", async () => {
      const to = randomId();
      const order: string[] = [];
      const stop = mailbox.wake(to, () => order.push("to one who stopped"));
      stop();
      stop();
      const rung = new Promise<void>((resolve) => {
        mailbox.wake(to, () => {
          order.push("rung");
          resolve();
        });
      });
      await mailbox.post(letter(to));
      order.push("posted");
      await rung;
      expect(order).toEqual(["posted", "rung"]);
    });

    test("forgets what was posted by a node that is forgotten, and nothing else", async () => {
      const [from, to] = [await joined(store), randomId()];
      const [theirs, taken] = [await posted(to, from), await posted(randomId(), from)];
      await mailbox.take(taken.to);
      const other = await posted(to);
      const toThem = await posted(from);
      await store.nodes.forget(from);
      expect(await mailbox.take(to)).toEqual([other]);
      expect(await mailbox.answer(taken.id, "nobody waits for it")).toBe(false);
      expect(await mailbox.withdraw(theirs.id)).toBeUndefined();
      expect(await mailbox.withdraw(toThem.id)).toEqual({ state: "waiting" });
    });
  });
}
