import type { Clock } from "../../core/clock.ts";
import { Alarm } from "../operations/alarm.ts";
import { Credit, costsCredit } from "./credit.ts";
import { readMessage } from "./incoming.ts";
import { type Connect, type Link, type LinkEnd, MOST_BYTES } from "./link.ts";
import { connectionLost, errorOf, LiveError } from "./live-error.ts";
import type { LiveMessage, Sent } from "./protocol.ts";

const HEARTBEAT_MS = 30_000;
/** The server has missed three heartbeats by then. */
const SILENCE_MS = 90_000;
const OPEN_MS = 30_000;
const NO_ANSWER = `No server answered within ${OPEN_MS / 1000} s`;
/** What the server is asked to take of us at once; its answer is how we know that it is there. */
const REQUESTED_CAPACITY = 64;

/** Why a connection is over, and whether another one may do better. */
export interface ConnectionEnd {
  error: LiveError;
  final: boolean;
}

export interface ConnectionEvents {
  /** Somebody is there who speaks the protocol. */
  opened(): void;
  /** And of how many characters its text was. */
  message(message: LiveMessage, size: number): void;
  /** Something was lost, and the connection goes on. */
  fault(error: LiveError): void;
  log(line: string): void;
  /** Once, and nothing after it. */
  ended(end: ConnectionEnd): void;
}

interface ConnectionOptions {
  connect: Connect;
  clock: Clock;
  credit: { window: number; room(): number; isFull(): boolean };
  events: ConnectionEvents;
}

/** One link to a server, from its opening to its end: heartbeats, credit and messages. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #link: Link;
  readonly #credit: Credit;
  readonly #silence: Alarm;
  #state: "opening" | "greeting" | "open" | "over" = "opening";
  #fatal: LiveError | undefined;
  /** What was said first. */
  #greeting = "";
  #stopTimers: (() => void)[] = [];

  constructor(options: ConnectionOptions) {
    const { clock, credit, connect } = options;
    this.#options = options;
    this.#credit = new Credit({ ...credit, clock, grant: (capacity) => this.#grant(capacity) });
    this.#silence = new Alarm(clock, SILENCE_MS, () => this.#giveUp(lost("The server has said nothing for 90 s")));
    this.#link = connect({
      opened: () => this.#greet(),
      message: (text) => this.#receive(text),
      unreadable: (why) => options.events.fault(new LiveError("PROTOCOL", `${why}, and was dropped`)),
      log: (line) => options.events.log(line),
      closed: (end) => this.#closed(end),
    });
    // Not before: a `connect` that throws leaves nobody to call it off.
    this.#stopTimers.push(clock.after(OPEN_MS, () => this.#giveUp(lost(NO_ANSWER))));
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Throws where it cannot be sent. */
  send(sent: Sent): void {
    if (this.#state !== "open") throw connectionLost("There is no connection");
    const text = this.#textOf(sent);
    // In bytes it may be three times as long; what is too short for that need not be counted.
    if (text.length * 3 > MOST_BYTES && new TextEncoder().encode(text).length > MOST_BYTES) {
      throw new LiveError("OVERFLOW", `A message may have ${MOST_BYTES} bytes at most; send less`);
    }
    if (this.#link.unsent > MOST_BYTES) {
      const message = "The server does not read: too much waits to be sent. Wait for answers before sending more.";
      throw new LiveError("OVERFLOW", message, { retriable: true });
    }
    this.#link.send(text);
  }

  /** Somebody who was behind may have caught up. */
  renewCredit(): void {
    if (this.#state === "open") this.#credit.renew();
  }

  close(options?: { now?: boolean }): Promise<void> {
    return this.#link.close(options);
  }

  /** What is of the connection alone; it is small, and there is never much of it. */
  #say(sent: Sent): void {
    if (this.#state === "over") return;
    const text = this.#textOf(sent);
    if (this.#state === "greeting") this.#greeting = text;
    this.#link.send(text);
  }

  #textOf(sent: Sent): string {
    return jsonOf({ timestamp: new Date(this.#options.clock.now()).toISOString(), ...sent });
  }

  #greet(): void {
    if (this.#state !== "opening") return;
    this.#state = "greeting";
    this.#silence.touch();
    this.#credit.renew();
    this.#beat();
  }

  #grant(available_capacity: number): void {
    const greeting = this.#state === "greeting" ? { requested_capacity: REQUESTED_CAPACITY } : {};
    this.#say({ type: "flow_control", data: { available_capacity, ...greeting } });
  }

  #beat(): void {
    const callOff = this.#options.clock.after(HEARTBEAT_MS, () => {
      this.#say({ type: "heartbeat", data: {} });
      this.#stopTimers = this.#stopTimers.filter((other) => other !== callOff);
      this.#beat();
    });
    this.#stopTimers.push(callOff);
  }

  #receive(text: string): void {
    if (this.#state === "over") return;
    if (text === this.#greeting) {
      this.#giveUp(onlyRepeats());
      return;
    }
    this.#silence.touch();
    const message = this.#read(text);
    if (!message) return;
    if (message.type === "error" && message.data.severity === "fatal") this.#fatal = errorOf(message.data);
    if (this.#state === "greeting" && !this.#fatal) this.#open();
    this.#options.events.message(message, text.length);
    if (costsCredit(message.type)) this.#credit.spend();
  }

  #read(text: string): LiveMessage | undefined {
    try {
      return readMessage(text);
    } catch (error) {
      this.#options.events.fault(error as LiveError);
      return undefined;
    }
  }

  #open(): void {
    this.#state = "open";
    this.#stopTimers.shift()?.(); // that of the opening
    this.#options.events.opened();
  }

  /** The link is not waited for: whoever is at its other end may not be there. */
  #giveUp(end: ConnectionEnd): void {
    if (this.#state === "over") return;
    this.#end(end);
    void this.#link.close({ now: true });
  }

  #closed({ message, final = false }: LinkEnd): void {
    const error = this.#fatal ?? (final ? new LiveError("PERMISSION_DENIED", message) : connectionLost(message));
    this.#end({ error, final: final || error.code === "PERMISSION_DENIED" });
  }

  #end(end: ConnectionEnd): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#credit.stop();
    this.#silence.stop();
    for (const callOff of this.#stopTimers.splice(0)) callOff();
    this.#options.events.ended(end);
  }
}

const lost = (why: string): ConnectionEnd => ({ error: connectionLost(why), final: false });

/** Such as `cat`: what it says would be taken for answers. */
const onlyRepeats = (): ConnectionEnd => {
  const message =
    "Whoever is there repeats what it is told, and is no server of this protocol. Connect to another one.";
  return { error: new LiveError("PROTOCOL", message), final: true };
};

function jsonOf(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new LiveError("INVALID", `What is to be sent is no JSON: ${(error as Error).message}`);
  }
}
