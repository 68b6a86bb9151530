/** Whether to ask again could do something twice. */
export const changes = (method: string) => method !== "GET" && method !== "HEAD";

const LOOK = "look before you do it again.";

/** What is said of an answer that did not come. */
export const withoutAnswer = (method: string, why: string) =>
  changes(method) ? `${why} It may have been done all the same: ${LOOK}` : why;

/** What is said of an answer that came, and that nobody gets. */
export function notHandedOn(asked: { method: string; status: number }, why: string, ifOnlyRead = ""): string {
  if (!changes(asked.method)) return `${why} ${ifOnlyRead}`.trimEnd();
  const done = asked.status < 400 ? "The API has done it" : `The API answered ${asked.status}`;
  return `${done}, but its answer could not be handed on: ${LOOK} ${why}`;
}
