import { DragomanError } from "../core/errors.ts";
import type { Owner } from "../core/nodes.ts";
import type { Runtime } from "../core/runtime.ts";
import { duration } from "./terminal/wording.ts";
import { where } from "./where.ts";

const PATIENCE_MS = 1000;

interface Waiting {
  runtime: Runtime;
  sessionId: string;
  /** Says something that is no part of the result. */
  note(line: string): void;
}

/** Since when nothing was heard of it. */
export const silence = ({ seenAt }: Owner) => duration(Math.max(0, Date.now() - seenAt));

/** What is asked of the owner of a session. If it takes long it is said whom it waits for, and if it fails how long that one is silent. */
export async function sayingWhomItWaitsFor<T>(work: Promise<T>, { runtime, sessionId, note }: Waiting): Promise<T> {
  const owner = () => runtime.store.nodes.owner(sessionId).catch(() => undefined);
  let isOver = false;
  const say = async () => {
    const who = await owner();
    if (!who || isOver || who.node === runtime.node) return;
    note(`waiting for ${where(who)}${who.state === "alive" ? "" : ", which says nothing"}`);
  };
  const saying = setTimeout(() => void say(), PATIENCE_MS);
  try {
    return await work;
  } catch (error) {
    const who = error instanceof DragomanError && error.code === "owner_unreachable" ? await owner() : undefined;
    if (!(error instanceof DragomanError) || who?.state !== "silent") throw error;
    throw new DragomanError(error.code, `${error.message} It has said nothing for ${silence(who)}.`, error.data);
  } finally {
    isOver = true;
    clearTimeout(saying);
  }
}
