import { setTimeout as pause } from "node:timers/promises";

/** How many, and at least and at most how long after one another. */
export interface Rhythm {
  count: number;
  leastMs: number;
  mostMs: number;
}

/** The clock that all processes of a machine share. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;

/** A moment as a word that is found in any text. */
export const stamp = () => `stamp-${now()}`;

/** When the stamps in a text were made. */
export const stampsIn = (text: string) => [...text.matchAll(/stamp-(\d+(?:\.\d+)?)/g)].map(([, at]) => Number(at));

export async function inRhythm({ count, leastMs, mostMs }: Rhythm, say: () => unknown): Promise<void> {
  for (let n = 0; n < count; n++) {
    await pause(leastMs + Math.random() * (mostMs - leastMs));
    await say();
  }
}
