import { type Clock, systemClock } from "../core/clock.ts";
import type { AskKind } from "../core/events.ts";
import { type KnownNode, type NodeInfo, type NodeState, type Nodes, type Owner, WATCH_MS } from "../core/nodes.ts";
import { mayBeRunning, type ProcessIdentity } from "../core/process-identity.ts";
import type { Log } from "./memory-log.ts";

/** What a test may say of nodes. Whoever joined lives otherwise: nobody has to renew anything in one process. */
export interface MemoryNodeOptions {
  clock?: Clock;
  mayBeRunning?: (id: ProcessIdentity) => boolean;
  isSilent?: (node: string) => boolean;
}

export interface MemoryNodes extends Nodes {
  /** Whether what the node has may be taken. */
  isLost(node: string): boolean;
  leaveAll(): void;
}

interface Joined {
  info: NodeInfo;
  seenAt: number;
  /** Since when it is known here that it says nothing. */
  silentSince?: number;
}

export function memoryNodes(
  logs: Map<string, Log>,
  checkOpen: () => void,
  dropLettersFrom: (node: string) => void,
  options: MemoryNodeOptions,
): MemoryNodes {
  const clock = options.clock ?? systemClock;
  const isRunning = options.mayBeRunning ?? mayBeRunning;
  const isSilent = options.isSilent ?? (() => false);
  const joined = new Map<string, Joined>();
  const presence = new Map<string, Map<string, readonly AskKind[]>>();

  function look(known: Joined): NodeState {
    if (!isRunning(known.info)) return "gone";
    if (isSilent(known.info.node)) {
      known.silentSince ??= clock.now();
      return "silent";
    }
    Object.assign(known, { seenAt: clock.now(), silentSince: undefined });
    return "alive";
  }

  function knownNode(known: Joined): KnownNode {
    const state = look(known);
    return { ...known.info, seenAt: known.seenAt, state };
  }

  function ownerOf({ owner, epoch, summary }: Log): Owner | undefined {
    const known = owner === undefined ? undefined : joined.get(owner);
    return known && { ...knownNode(known), sessionId: summary.sessionId, epoch };
  }

  function forget(node: string): void {
    joined.delete(node);
    for (const attending of presence.values()) attending.delete(node);
    dropLettersFrom(node);
  }

  function leave(node: string): void {
    for (const log of logs.values()) if (log.owner === node) log.owner = undefined;
    forget(node);
  }

  return {
    isLost(node) {
      const known = joined.get(node);
      if (!known) return true;
      const state = look(known);
      return state === "gone" || (state === "silent" && clock.now() - (known.silentSince ?? 0) >= WATCH_MS);
    },

    leaveAll() {
      for (const node of [...joined.keys()]) leave(node);
    },

    async join(info) {
      checkOpen();
      joined.set(info.node, { info: { ...info }, seenAt: clock.now() });
    },

    async leave(node) {
      checkOpen();
      leave(node);
    },

    async forget(node) {
      checkOpen();
      forget(node);
    },

    async list() {
      checkOpen();
      return [...joined.values()].map(knownNode);
    },

    async owner(sessionId) {
      checkOpen();
      const log = logs.get(sessionId);
      return log && ownerOf(log);
    },

    async owners() {
      checkOpen();
      return [...logs.values()].flatMap((log) => ownerOf(log) ?? []);
    },

    async attend(sessionId, node, kinds) {
      checkOpen();
      const attending = presence.get(sessionId) ?? new Map();
      if (kinds.length > 0) presence.set(sessionId, attending.set(node, [...kinds]));
      else attending.delete(node);
      if (attending.size === 0) presence.delete(sessionId);
    },

    async canAnswer(sessionId, kind, except) {
      checkOpen();
      return [...(presence.get(sessionId) ?? [])].some(([node, kinds]) => {
        const known = joined.get(node);
        return node !== except && kinds.includes(kind) && known !== undefined && look(known) === "alive";
      });
    },
  };
}
