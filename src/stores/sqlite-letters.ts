import type { Delivery, Letter, Mailbox } from "../core/mailbox.ts";
import type { Sql } from "./sqlite-calls.ts";
import type { Poller } from "./sqlite-poller.ts";
import type { SqliteReader } from "./sqlite-reader.ts";
import type { WriterThread } from "./sqlite-writer-thread.ts";

/** Who gets more letters than this takes the others later. */
const AT_ONCE = 100;

interface State {
  taken: number;
  reply: string | null;
}

const deliveryOf = ({ taken, reply }: State): Delivery =>
  reply === null ? { state: taken ? "taken" : "waiting" } : { state: "answered", reply };

/** The writer's side of the mailbox. */
export function letterCalls(sql: Sql) {
  return {
    post({ id, sessionId, epoch, from, to, body }: Letter): void {
      sql(
        `INSERT OR IGNORE INTO letters (id, session_id, epoch, sender, recipient, body) VALUES (?, ?, ?, ?, ?, ?)`,
      ).run(id, sessionId, epoch, from, to, body);
    },

    take(node: string): Letter[] {
      const rows: (Letter & { posted: number })[] = sql(
        `UPDATE letters SET taken = 1 WHERE posted IN
           (SELECT posted FROM letters WHERE recipient = ? AND taken = 0 AND reply IS NULL ORDER BY posted LIMIT ${AT_ONCE})
         RETURNING posted, id, session_id AS sessionId, epoch, sender AS "from", recipient AS "to", body`,
      ).all(node);
      return rows.sort((a, b) => a.posted - b.posted).map(({ posted, ...letter }) => letter);
    },

    /** Who is to be told of the reply; nobody when it came too late. */
    answer(id: string, reply: string): string | undefined {
      return sql("UPDATE letters SET reply = ? WHERE id = ? AND reply IS NULL RETURNING sender").get(reply, id)?.sender;
    },

    withdraw(id: string): Delivery | undefined {
      const state = sql("DELETE FROM letters WHERE id = ? RETURNING taken, reply").get(id);
      return state && deliveryOf(state);
    },
  };
}

/** Letters in the file. A listener in this process is rung for at once, those in others when they look. */
export function sqliteMailbox(writer: WriterThread, reader: SqliteReader, poller: Poller): Mailbox {
  return {
    async post(letter) {
      await writer.call("post", letter);
      poller.nodes.ring(letter.to);
    },

    async take(node) {
      const [waiting] = reader.rows("SELECT 1 FROM letters WHERE recipient = ? AND taken = 0 LIMIT 1", node);
      return waiting ? writer.call("take", node) : [];
    },

    async answer(id, reply) {
      const sender = await writer.call("answer", id, reply);
      if (sender !== undefined) poller.nodes.ring(sender);
      return sender !== undefined;
    },

    async delivery(id) {
      const [row] = reader.rows<[number, string | null]>("SELECT taken, reply FROM letters WHERE id = ?", id);
      return row && deliveryOf({ taken: row[0], reply: row[1] });
    },

    withdraw: (id) => writer.call("withdraw", id),
    wake: (node, listener) => poller.wake(poller.nodes, node, listener),
  };
}
