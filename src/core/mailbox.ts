/** A command from one node to another, which owns the session at that epoch. */
export interface Letter {
  id: string;
  sessionId: string;
  epoch: number;
  from: string;
  to: string;
  body: string;
}

/** `waiting`: nobody has looked at it. `taken`: the owner is doing it, or has done it, or died over it. */
export type Delivery = { state: "waiting" | "taken" } | { state: "answered"; reply: string };

/** Each letter gets at most one reply, and who gives up waiting says so, so that no later one counts. */
export interface Mailbox {
  post(letter: Letter): Promise<void>;
  /** The letters to a node that nobody has taken yet, oldest first. They are given out once. */
  take(node: string): Promise<Letter[]>;
  /** False when whoever asked has given up. */
  answer(id: string, reply: string): Promise<boolean>;
  delivery(id: string): Promise<Delivery | undefined>;
  /** Takes a letter back, with the reply if there is one. Afterwards nobody can take or answer it. */
  withdraw(id: string): Promise<Delivery | undefined>;
  /** Rings when there may be a letter to a node, or a reply to one of its own. */
  wake(node: string, listener: () => void): () => void;
}
