import type { Delivery, Letter, Mailbox } from "../core/mailbox.ts";
import { Bell } from "./bell.ts";

interface Kept {
  letter: Letter;
  delivery: Delivery;
}

export interface MemoryMailbox extends Mailbox {
  /** Nobody waits for what this node posted. */
  dropFrom(node: string): void;
}

export function memoryMailbox(checkOpen: () => void): MemoryMailbox {
  const letters = new Map<string, Kept>();
  const bell = new Bell();

  return {
    async post(letter) {
      checkOpen();
      letters.set(letter.id, { letter: { ...letter }, delivery: { state: "waiting" } });
      bell.ring(letter.to);
    },

    async take(node) {
      checkOpen();
      const waiting = [...letters.values()].filter(
        ({ letter, delivery }) => letter.to === node && delivery.state === "waiting",
      );
      for (const kept of waiting) kept.delivery = { state: "taken" };
      return waiting.map(({ letter }) => ({ ...letter }));
    },

    async answer(id, reply) {
      checkOpen();
      const kept = letters.get(id);
      if (!kept || kept.delivery.state === "answered") return false;
      kept.delivery = { state: "answered", reply };
      bell.ring(kept.letter.from);
      return true;
    },

    async delivery(id) {
      checkOpen();
      return letters.get(id)?.delivery;
    },

    async withdraw(id) {
      checkOpen();
      const kept = letters.get(id);
      letters.delete(id);
      return kept?.delivery;
    },

    wake: (node, listener) => bell.listen(node, listener),

    dropFrom(node) {
      for (const { letter } of [...letters.values()]) if (letter.from === node) letters.delete(letter.id);
    },
  };
}
