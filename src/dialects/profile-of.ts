import type { Dialect } from "./dialect.ts";

/** The profile of a client that can do all that the dialect offers, or nothing of it. */
export function profileOf(dialect: Dialect, can: "everything" | "nothing"): Record<string, unknown> {
  const given = Object.entries(dialect.profile.parse({}) as Record<string, unknown>);
  const capable = can === "everything";
  return Object.fromEntries(given.map(([key, value]) => [key, typeof value === "boolean" ? capable : value]));
}
