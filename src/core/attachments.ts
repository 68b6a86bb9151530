import type { AskKind } from "./events.ts";
import type { Nodes } from "./nodes.ts";

/** Who is at this node and can answer asks, of each session, and what the other nodes were told of it. */
export class Attachments {
  readonly #nodes: Nodes;
  readonly #node: string;
  readonly #attached = new Map<string, Set<ReadonlySet<AskKind>>>();
  /** What was told last, and the telling of it. */
  readonly #told = new Map<string, { kinds: string; done: Promise<void> }>();

  constructor(nodes: Nodes, node: string) {
    this.#nodes = nodes;
    this.#node = node;
  }

  /** The sessions that someone is attached to. */
  get sessionIds(): string[] {
    return [...this.#attached.keys()];
  }

  has(sessionId: string): boolean {
    return this.#attached.has(sessionId);
  }

  add(sessionId: string, kinds: Iterable<AskKind>): () => void {
    const answers = new Set(kinds);
    const attached = this.#attached.get(sessionId) ?? new Set();
    this.#attached.set(sessionId, attached.add(answers));
    return () => {
      attached.delete(answers);
      if (attached.size === 0 && this.#attached.get(sessionId) === attached) this.#attached.delete(sessionId);
    };
  }

  canAnswer(sessionId: string, kind: AskKind): boolean {
    return this.#kinds(sessionId).includes(kind);
  }

  /** Tells the other nodes how it is now. Resolves when they can see it. */
  tell(sessionId: string): Promise<void> {
    const kinds = this.#kinds(sessionId);
    const known = this.#told.get(sessionId);
    if ((known?.kinds ?? "") === kinds.join()) return known?.done ?? Promise.resolve();
    const told = {
      kinds: kinds.join(),
      done: (known?.done ?? Promise.resolve()).then(() => this.#nodes.attend(sessionId, this.#node, kinds)),
    };
    // What could not be told is told the next time; whoever waits for it now goes on without.
    told.done = told.done.catch(() => {
      if (this.#told.get(sessionId) === told) this.#told.delete(sessionId);
    });
    this.#told.set(sessionId, told);
    if (kinds.length === 0)
      void told.done.then(() => this.#told.get(sessionId) === told && this.#told.delete(sessionId));
    return told.done;
  }

  #kinds(sessionId: string): AskKind[] {
    return [...new Set([...(this.#attached.get(sessionId) ?? [])].flatMap((kinds) => [...kinds]))].sort();
  }
}
