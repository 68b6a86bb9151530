import type { AskKind } from "../core/events.ts";
import { type NodeInfo, RENEW_MS, WATCH_MS } from "../core/nodes.ts";
import type { Claimed } from "../core/store.ts";
import { knownNode } from "./known-node.ts";
import type { Sql } from "./sqlite-calls.ts";

/** The writer's side of nodes, leases and presence. */
export function leaseCalls(sql: Sql) {
  const joined = new Map<string, NodeInfo>();
  const silence = new Silence();

  function isLost(node: string): boolean {
    const row = sql("SELECT info, seen FROM nodes WHERE node = ?").get(node);
    if (!row) return true;
    const { state } = knownNode(node, row.info, row.seen);
    return state === "silent" ? silence.hasLasted(node, row.seen) : state === "gone";
  }

  function say(info: NodeInfo): void {
    sql("INSERT OR REPLACE INTO nodes (node, seen, info) VALUES (?, ?, ?)").run(
      info.node,
      Date.now(),
      JSON.stringify(info),
    );
  }

  function forget(node: string): void {
    joined.delete(node);
    sql("DELETE FROM nodes WHERE node = ?").run(node);
    sql("DELETE FROM presence WHERE node = ?").run(node);
    sql("DELETE FROM letters WHERE sender = ?").run(node);
  }

  function leave(node: string): void {
    sql("UPDATE sessions SET owner = '' WHERE owner = ? AND owner <> ''").run(node);
    forget(node);
  }

  return {
    claim(sessionId: string, node: string): Claimed | undefined {
      const before: string = sql("SELECT owner FROM sessions WHERE session_id = ?").get(sessionId)?.owner ?? "";
      const isAnothers = before !== "" && before !== node;
      if (isAnothers && !isLost(before)) return undefined;
      const { epoch } = sql(
        `INSERT INTO sessions (session_id, epoch, owner) VALUES (?, 1, ?)
         ON CONFLICT (session_id) DO UPDATE SET epoch = epoch + 1, owner = excluded.owner RETURNING epoch`,
      ).get(sessionId, node);
      return { sessionId, epoch, ...(isAnothers && { lost: before }) };
    },

    release(sessionId: string, epoch: number): void {
      sql("UPDATE sessions SET owner = '' WHERE session_id = ? AND epoch = ?").run(sessionId, epoch);
    },

    join(info: NodeInfo): void {
      joined.set(info.node, info);
      say(info);
      // What is left of those who were forgotten, however that came about.
      sql("DELETE FROM presence WHERE node NOT IN (SELECT node FROM nodes)").run();
      sql("DELETE FROM letters WHERE sender NOT IN (SELECT node FROM nodes)").run();
    },

    leave,

    leaveAll(): void {
      for (const node of [...joined.keys()]) leave(node);
    },

    forget,

    /** Says that those who joined here are there, also where someone took them for dead and forgot them. False if there are none. */
    renew(): boolean {
      silence.watch();
      for (const info of joined.values()) say(info);
      return joined.size > 0;
    },

    attend(sessionId: string, node: string, kinds: readonly AskKind[]): void {
      sql("DELETE FROM presence WHERE session_id = ? AND node = ?").run(sessionId, node);
      const insert = sql("INSERT OR IGNORE INTO presence (session_id, node, kind) VALUES (?, ?, ?)");
      for (const kind of kinds) insert.run(sessionId, node, kind);
    },
  };
}

/**
 * Since when nodes say nothing, by this process's own clock, which knows of no change to the time of day. While this process
 * itself stood still, as in a container that is paused, the others may have too: that does not count.
 */
class Silence {
  readonly #since = new Map<string, { seen: number; at: number }>();
  #watchedAt: number | undefined;

  hasLasted(node: string, seen: number): boolean {
    if (this.#watchedAt !== undefined) this.watch();
    const now = performance.now();
    const known = this.#since.get(node);
    if (known?.seen === seen) return now - known.at >= WATCH_MS;
    this.#since.set(node, { seen, at: now });
    return false;
  }

  /** Called at every renewal, and so often as long as this process does not stand still. */
  watch(): void {
    const now = performance.now();
    if (now - (this.#watchedAt ?? now) > 2 * RENEW_MS) this.#since.clear();
    this.#watchedAt = now;
  }
}
