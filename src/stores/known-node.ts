import { type KnownNode, LEASE_MS, type NodeInfo, type NodeState } from "../core/nodes.ts";
import { mayBeRunning } from "../core/process-identity.ts";

/** A node as its row in a file tells it. One that cannot be read is that of a node which is gone: it keeps nobody from anything. */
export function knownNode(node: string, info: string, seenAt: number, now = Date.now()): KnownNode {
  const read = infoOf(info);
  if (!read) return { ...unreadable, node, seenAt, state: "gone" };
  return { ...read, node, seenAt, state: stateOf(read, seenAt, now) };
}

const unreadable = { host: "", pid: 0, startedAt: "", title: "unreadable", version: "", publicKey: "" };

/** A clock that was set back makes the latest sign of life one of the future: then it says nothing either. */
function stateOf(info: Omit<NodeInfo, "node">, seenAt: number, now: number): NodeState {
  if (!mayBeRunning(info)) return "gone";
  return Math.abs(now - seenAt) <= LEASE_MS ? "alive" : "silent";
}

function infoOf(text: string): Omit<NodeInfo, "node"> | undefined {
  try {
    const { host, pid, startedAt, title, version, publicKey } = JSON.parse(text);
    const texts = [host, startedAt, title, version, publicKey];
    const isRead = Number.isInteger(pid) && texts.every((each) => typeof each === "string");
    return isRead ? { host, pid, startedAt, title, version, publicKey } : undefined;
  } catch {
    return undefined;
  }
}
