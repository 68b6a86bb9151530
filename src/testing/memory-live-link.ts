import type { Connect, LinkEnd, LinkEvents } from "../clients/live/link.ts";
import type { Sent, SentType } from "../clients/live/protocol.ts";
import { emptySession, type SessionState } from "../dialects/live/session-view.ts";

type Envelope = Partial<{ session_id: string; correlation_id: string; seq: number; k: number; ack_required: true }>;

/** A server of `live` in the test's own hands: it sees what the client sent and says what the test says. */
export class MemoryLiveServer {
  /** Over all connections. */
  readonly sent: Sent[] = [];
  opened = 0;
  /** Whether a client is let in and answered. */
  greets = true;
  unsent = 0;
  #events: LinkEvents | undefined;

  readonly connect: Connect = (events) => {
    this.opened++;
    this.#events = events;
    if (this.greets) queueMicrotask(() => events.opened());
    const unsent = () => this.unsent;
    return {
      get unsent() {
        return unsent();
      },
      send: (text) => this.#receive(JSON.parse(text)),
      close: async () => this.end("it was closed", events),
    };
  };

  /** What was sent of a type, the latest last. */
  of<T extends SentType>(type: T): Sent<T>[] {
    return this.sent.filter((sent): sent is Sent<T> => sent.type === type);
  }

  get isConnected(): boolean {
    return this.#events !== undefined;
  }

  say(type: string, data: object = {}, envelope: Envelope = {}): void {
    this.line(JSON.stringify({ type, timestamp: "2026-01-01T00:00:00.000Z", session_id: "s1", ...envelope, data }));
  }

  line(text: string): void {
    this.#events?.message(text);
  }

  /** Answers the latest request of a type. */
  answer(to: SentType, type: string, data: object = {}, envelope: Envelope = {}): void {
    const { correlation_id } = this.of(to).at(-1) ?? {};
    this.say(type, data, { correlation_id, ...envelope });
  }

  state(more: Partial<SessionState> = {}): SessionState {
    return { ...emptySession(), engine: "scripted", workspace: "/w", ...more };
  }

  end(message = "it ended", events = this.#events, more: Partial<LinkEnd> = {}): void {
    if (events === this.#events) this.#events = undefined;
    events?.closed({ message, ...more });
  }

  #receive(message: Sent): void {
    const { timestamp: _, ...sent } = message as Sent & { timestamp: string };
    this.sent.push(sent);
    if (message.type !== "flow_control") return;
    const { requested_capacity } = (message as Sent<"flow_control">).data;
    if (requested_capacity === undefined) return;
    queueMicrotask(() => this.say("flow_control", { available_capacity: 64, requested_capacity }, { session_id: "" }));
  }
}
