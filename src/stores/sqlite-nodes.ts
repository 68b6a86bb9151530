import type { NodeInfo, Nodes } from "../core/nodes.ts";
import { stateOf } from "./sqlite-leases.ts";
import type { Poller } from "./sqlite-poller.ts";
import type { SqliteReader } from "./sqlite-reader.ts";
import type { WriterThread } from "./sqlite-writer-thread.ts";

const owners = `SELECT n.info, n.seen, s.session_id, s.epoch FROM sessions s JOIN nodes n ON n.node = s.owner
  WHERE s.owner <> ''`;
const attending = `SELECT n.info, n.seen FROM presence p JOIN nodes n ON n.node = p.node
  WHERE p.session_id = ? AND p.kind = ? AND p.node <> ?`;

type NodeRow = [info: string, seen: number];
type OwnerRow = [...NodeRow, sessionId: string, epoch: number];

/** Who shares the file, as it stands there. */
export function sqliteNodes(writer: WriterThread, reader: SqliteReader, poller: Poller): Nodes {
  return {
    async join(info) {
      poller.own.add(info.node);
      await writer.call("join", info);
    },

    async leave(node) {
      await writer.call("leave", node);
      poller.own.delete(node);
    },

    forget: (node) => writer.call("forget", node),

    list: async () => reader.rows<NodeRow>("SELECT info, seen FROM nodes ORDER BY node").map(knownNodes()),

    async owner(sessionId) {
      const rows = reader.rows<OwnerRow>(`${owners} AND s.session_id = ?`, sessionId);
      return rows.map(knownOwners())[0];
    },

    owners: async () => reader.rows<OwnerRow>(owners).map(knownOwners()),

    attend: (sessionId, node, kinds) => writer.call("attend", sessionId, node, [...kinds]),

    async canAnswer(sessionId, kind, except) {
      const rows = reader.rows<NodeRow>(attending, sessionId, kind, except);
      return rows.map(knownNodes()).some(({ state }) => state === "alive");
    },
  };
}

/** Each node is looked at once, however many sessions it has. */
function knownNodes() {
  const states = new Map<string, ReturnType<typeof stateOf>>();
  return ([text, seenAt]: NodeRow) => {
    const info: NodeInfo = JSON.parse(text);
    const state = states.get(info.node) ?? stateOf(info, seenAt);
    states.set(info.node, state);
    return { ...info, seenAt, state };
  };
}

function knownOwners() {
  const known = knownNodes();
  return ([info, seen, sessionId, epoch]: OwnerRow) => ({ ...known([info, seen]), sessionId, epoch });
}
