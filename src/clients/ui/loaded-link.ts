import type { Connect, Link } from "./link.ts";

/** A link that is opened as soon as what opens it has been loaded. */
export function loadedLink(load: () => Promise<Connect>): Connect {
  return (events) => {
    /** What was written before: one line, as the next waits for `drain`. */
    const early: string[] = [];
    let link: Link | undefined;
    let isClosed = false;
    const open = (connect: Connect) => {
      if (isClosed) return events.closed({ message: "It was closed" });
      const opened = connect(events);
      link = opened;
      if (early.map((text) => opened.write(text)).every(Boolean)) events.drain();
    };
    const failed = (error: unknown) =>
      events.closed({ message: `The runtime cannot be started: ${error instanceof Error ? error.message : error}` });
    const loaded = load().then(open).catch(failed);
    return {
      write: (text) => {
        if (link) return link.write(text);
        early.push(text);
        return false;
      },
      pause: () => link?.pause(),
      resume: () => link?.resume(),
      close: async (options) => {
        isClosed = true;
        await loaded;
        await link?.close(options);
      },
    };
  };
}
