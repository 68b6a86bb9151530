import type { Owner } from "../core/nodes.ts";
import { oneLine } from "./terminal/wording.ts";

type Known = Pick<Owner, "title" | "pid">;

/** The process that has a session, in a list. */
export const shortWhere = ({ title, pid }: Known) => `${oneLine(title)} ${pid}`;

/** The same in a sentence. */
export const where = ({ title, pid }: Known) => `${oneLine(title)} (pid ${pid})`;
