import type { KnownNode, Nodes } from "../core/nodes.ts";
import { knownNode } from "./known-node.ts";
import type { Poller } from "./sqlite-poller.ts";
import type { SqliteReader } from "./sqlite-reader.ts";
import type { WriterThread } from "./sqlite-writer-thread.ts";

const owners = `SELECT n.node, n.info, n.seen, s.session_id, s.epoch FROM sessions s JOIN nodes n ON n.node = s.owner
  WHERE s.owner <> ''`;
const attending = `SELECT n.node, n.info, n.seen FROM presence p JOIN nodes n ON n.node = p.node
  WHERE p.session_id = ? AND p.kind = ? AND p.node <> ?`;

type NodeRow = [node: string, info: string, seen: number];
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

    list: async () => reader.rows<NodeRow>("SELECT node, info, seen FROM nodes ORDER BY node").map(knownNodes()),

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
  const nodes = new Map<string, KnownNode>();
  return (row: NodeRow) => {
    const known = nodes.get(row[0]) ?? knownNode(...row);
    nodes.set(known.node, known);
    return known;
  };
}

function knownOwners() {
  const known = knownNodes();
  return ([node, info, seen, sessionId, epoch]: OwnerRow) => ({ ...known([node, info, seen]), sessionId, epoch });
}
