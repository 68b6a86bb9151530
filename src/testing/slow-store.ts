import type { Store } from "../core/store.ts";
import { settle } from "./scripted.ts";

/** A store whose appends take some turns of the event loop each, in the order in which they were called. */
export function slowAppends(store: Store, delays: number[]): Store {
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...store,
    append: (...args) => {
      const turns = delays[count++ % Math.max(1, delays.length)] ?? 0;
      const appended = last.then(() => settle(turns)).then(() => store.append(...args));
      last = appended.catch(() => {});
      return appended;
    },
  };
}

/** A store whose reads take some turns of the event loop before and after. */
export function slowReads(store: Store, delays: number[]): Store {
  let count = 0;
  return {
    ...store,
    read: async (...args) => {
      await settle((delays[count++ % Math.max(1, delays.length)] ?? 0) % 3);
      const events = await store.read(...args);
      await settle((delays[count++ % Math.max(1, delays.length)] ?? 0) % 3);
      return events;
    },
  };
}
