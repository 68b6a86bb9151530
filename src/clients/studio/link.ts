export type { Connect, Link, LinkEvents } from "../ui/link.ts";
