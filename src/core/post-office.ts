import type { Clock } from "./clock.ts";
import { asDragomanError, DragomanError, type ErrorCode, errorCodes } from "./errors.ts";
import type { NewId } from "./ids.ts";
import type { Delivery, Letter } from "./mailbox.ts";
import type { Owner } from "./nodes.ts";
import { type SealKeys, seal, unseal } from "./sealed.ts";
import { checkedCommand, type SessionCommand } from "./session-command.ts";
import type { Store } from "./store.ts";

/** Whoever has a session answers within this time, or is said to be unreachable. */
const LONGEST_REPLY_MS = 5000;
/** How often to look whether the owner is still there. */
const LOOK_MS = 200;

interface Content {
  command: SessionCommand;
  again: boolean;
}

/** A letter may come from a process of another version. */
function contentOf(text: string): Content {
  const { command, again } = JSON.parse(text);
  return { command: checkedCommand(command), again: again === true };
}

type Reply = { result: unknown } | { error: { code: ErrorCode; message: string; data?: unknown } };

/** The letter was taken back: the session is not with its addressee any more. */
export class Moved extends Error {
  /** `taken`: whether the one who had it may have done it. */
  constructor(readonly taken: boolean) {
    super("the session has another owner");
  }
}

interface PostOfficeOptions {
  store: Store;
  clock: Clock;
  newId: NewId;
  node: string;
  keys: SealKeys;
  /** Does what a letter says, as the owner of its session at its epoch. */
  deliver(letter: Letter, command: SessionCommand, again: boolean): Promise<unknown>;
}

/** This node's letters: those it sends to the owners of sessions, and those it gets as one. */
export class PostOffice {
  readonly #options: PostOfficeOptions;
  readonly #delivering = new Set<Promise<void>>();
  #close: (() => void) | undefined;
  #taking: Promise<void> | undefined;
  #again = false;

  constructor(options: PostOfficeOptions) {
    this.#options = options;
  }

  open(): void {
    const { store, node } = this.#options;
    this.#close ??= store.mailbox.wake(node, () => this.#take());
    this.#take();
  }

  /** Takes no more letters, and resolves when those that were taken are answered. */
  async close(): Promise<void> {
    this.#close?.();
    this.#close = () => {};
    await this.#taking;
    await Promise.all(this.#delivering);
  }

  /** Resolves with the one reply. Throws `Moved` when the owner is not the owner any more, or `isLost` says so. */
  async send(owner: Owner, command: SessionCommand, again: boolean, isLost: () => Promise<boolean>): Promise<unknown> {
    const { store, newId, node } = this.#options;
    const { sessionId, epoch, node: to, publicKey } = owner;
    const content: Content = { command, again };
    const body = seal(JSON.stringify(content), publicKey);
    const letter = { id: newId(), sessionId, epoch, from: node, to, body };
    const rest = store.attend();
    try {
      await store.mailbox.post(letter);
      const reason = await this.#untilAnswered(letter, isLost).catch(async (error) => {
        await store.mailbox.withdraw(letter.id).catch(() => {}); // who is told that it failed does not expect it to be done
        throw error;
      });
      const end = await store.mailbox.withdraw(letter.id);
      return this.#read(owner, end, reason);
    } finally {
      rest();
    }
  }

  #read(owner: Owner, end: Delivery | undefined, reason: "answered" | "moved" | "late"): unknown {
    if (end?.state !== "answered") {
      if (reason === "late") throw unreachable(owner, end?.state !== "waiting");
      throw new Moved(end?.state !== "waiting");
    }
    const reply: Reply = JSON.parse(end.reply);
    if ("result" in reply) return reply.result;
    const { message, data } = reply.error;
    const code = errorCodes.find((known) => known === reply.error.code) ?? "internal"; // it may be of another version
    if (code === "stale_owner") throw new Moved(true); // it may have been done before that was found out
    throw new DragomanError(code, message, data);
  }

  /** Resolves when there is a reply, or none is to be expected any more. */
  #untilAnswered(letter: Letter, isLost: () => Promise<boolean>): Promise<"answered" | "moved" | "late"> {
    const { store, clock, node } = this.#options;
    return new Promise((resolve, reject) => {
      const stops: (() => void)[] = [];
      let ended = false;
      const end = (settle: () => void) => {
        ended = true;
        for (const stop of stops.splice(0)) stop();
        settle();
      };
      const fail = (error: unknown) => end(() => reject(error));
      const look = () =>
        store.mailbox.delivery(letter.id).then((now) => {
          if (now?.state === "answered" || now === undefined) end(() => resolve("answered"));
        }, fail);
      const lookAtOwner = () => {
        isLost().then((lost) => {
          if (lost) end(() => resolve("moved"));
          else if (!ended) stops.push(clock.after(LOOK_MS, lookAtOwner));
        }, fail);
      };
      stops.push(
        store.mailbox.wake(node, look),
        clock.after(LONGEST_REPLY_MS, () => end(() => resolve("late"))),
        clock.after(LOOK_MS, lookAtOwner),
      );
      void look();
    });
  }

  #take(): void {
    this.#again = true;
    this.#taking ??= this.#takeAll();
  }

  async #takeAll(): Promise<void> {
    const { store, node } = this.#options;
    try {
      while (this.#again) {
        this.#again = false;
        const letters = await store.mailbox.take(node);
        for (const letter of letters) this.#deliver(letter);
        if (letters.length === 0) continue;
        this.#again = true; // there may be more than are given out at once
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch {
      // A failing store tells its sessions, and whoever posted finds no reply.
    } finally {
      this.#taking = undefined; // in the same breath as the last look at `again`
    }
  }

  #deliver(letter: Letter): void {
    const delivering = this.#answer(letter).catch(() => {});
    this.#delivering.add(delivering);
    void delivering.then(() => this.#delivering.delete(delivering));
  }

  async #answer(letter: Letter): Promise<void> {
    const { store, keys, deliver } = this.#options;
    let reply: Reply;
    try {
      const { command, again } = contentOf(unseal(letter.body, keys.privateKey));
      reply = { result: (await deliver(letter, command, again)) ?? null };
    } catch (error) {
      const { code, message, data } = asDragomanError(error);
      reply = { error: { code, message, data } };
    }
    await store.mailbox.answer(letter.id, JSON.stringify(reply));
  }
}

function unreachable({ title, pid }: Owner, mayBeDone: boolean): DragomanError {
  const then = mayBeDone
    ? "It may still do what it was asked for: look before you try again."
    : "Nothing was done. Try again in some seconds: if it stays silent, its session is taken over.";
  const message = `The process that has this session (${title}, pid ${pid}) does not answer. ${then}`;
  return new DragomanError("owner_unreachable", message, { mayBeDone });
}
