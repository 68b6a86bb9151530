import type { AskKind } from "./events.ts";
import type { ProcessIdentity } from "./process-identity.ts";

/** A node that was not heard of for this long has lost its sessions to whoever claims them. */
export const LEASE_MS = 10_000;
/** How often a node says that it is there. */
export const RENEW_MS = 2_000;
/**
 * Where the process of a silent node is still there, the clock may have jumped, or the machine have slept: it is watched for this
 * long, and must not say anything, before its sessions are taken.
 */
export const WATCH_MS = 2_500;

/** A process that runs Dragoman, as the others on its store know it. */
export interface NodeInfo extends ProcessIdentity {
  node: string;
  /** What it is to a person, such as "stdio". */
  title: string;
  version: string;
  /** What is sent to this node alone is sealed with this. */
  publicKey: string;
}

/**
 * `alive`: it said so within the last `LEASE_MS`. `silent`: it did not, but its process is there, or is on another host.
 * `gone`: its process is not there any more.
 */
export type NodeState = "alive" | "silent" | "gone";

export interface KnownNode extends NodeInfo {
  seenAt: number;
  state: NodeState;
}

export interface Owner extends KnownNode {
  sessionId: string;
  epoch: number;
}

export interface Nodes {
  /** From now on this process is `node`, and says so until it leaves; its store renews the lease by itself. */
  join(info: NodeInfo): Promise<void>;
  /** Gives back every session that the node has, and forgets its presence. */
  leave(node: string): Promise<void>;
  /** Forgets a node that is gone: its presence, and what it posted. Its sessions and processes stay to be taken care of. */
  forget(node: string): Promise<void>;
  list(): Promise<KnownNode[]>;
  /** Who has the session, whether it lives or not. Nothing when it was given back, or the node was forgotten. */
  owner(sessionId: string): Promise<Owner | undefined>;
  /** Every session that someone has. */
  owners(): Promise<Owner[]>;
  /** Says which asks of a session can be answered at this node; none takes it back. */
  attend(sessionId: string, node: string, kinds: readonly AskKind[]): Promise<void>;
  /** Whether such an ask can be answered at a living node other than this one. */
  canAnswer(sessionId: string, kind: AskKind, except: string): Promise<boolean>;
}
