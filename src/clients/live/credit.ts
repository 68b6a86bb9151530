import type { Clock } from "../../core/clock.ts";

/** Who grants nothing for a minute is dropped by the server, and may only be slow: so it gets one now and then. */
const SLOW_MS = 20_000;

/** What the server sends whether it has credit or not. */
const freeTypes: ReadonlySet<string> = new Set([
  "error",
  "interrupt",
  "session_end",
  "flow_control",
  "ack",
  "backpressure_alert",
  "heartbeat",
  "tool_call_confirmation",
  "user_input",
]);

export const costsCredit = (type: string) => !freeTypes.has(type);

interface CreditOptions {
  clock: Clock;
  /** So much is granted at once, at most. */
  window: number;
  /** How many messages more may come; 0 while someone has to catch up first. */
  room(): number;
  /** Nothing more may come, however slowly. */
  isFull(): boolean;
  /** Sets what the server has. */
  grant(capacity: number): void;
}

/** Says how much the server may send: again whenever half of it is used, and not while someone who takes it is behind. */
export class Credit {
  readonly #options: CreditOptions;
  #granted = 0;
  #used = 0;
  #callOff: (() => void) | undefined;

  constructor(options: CreditOptions) {
    this.#options = options;
  }

  /** A message that costs has come. */
  spend(): void {
    this.#used++;
    this.renew();
  }

  /** Grants what is due, if there is room for it. */
  renew(): void {
    if (this.#used * 2 < this.#granted) return;
    const { window, room } = this.#options;
    const capacity = Math.min(window, room());
    if (capacity > 0) this.#grant(capacity);
    else this.#callOff ??= this.#options.clock.after(SLOW_MS, () => this.#grantOne());
  }

  stop(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #grant(capacity: number): void {
    this.stop();
    this.#granted = capacity;
    this.#used = 0;
    this.#options.grant(capacity);
  }

  #grantOne(): void {
    this.#callOff = undefined;
    if (this.#options.isFull()) this.renew();
    else this.#grant(1);
  }
}
