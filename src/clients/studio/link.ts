import type { Link, LinkEvents } from "../ui/link.ts";

export type { Link, LinkEvents } from "../ui/link.ts";

/** Opens a link. Nothing is told before it has returned; nothing is sent before it is open. */
export type Connect = (events: LinkEvents) => Link & { opened?: Promise<void> };
