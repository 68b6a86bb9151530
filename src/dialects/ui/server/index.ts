import { randomId } from "../../../core/ids.ts";
import type { Sink } from "../../feed.ts";
import type { RpcReply } from "../../json-rpc.ts";
import { answerIn } from "./answers.ts";
import { Desk } from "./desk.ts";
import { originOf, type Told, type UiHandlers, uiHandlers } from "./handlers.ts";
import type { Services } from "./services.ts";

export type { Services } from "./services.ts";

interface UiServerOptions {
  services: Services;
  sink: Sink;
  /** Sends what belongs to a call. */
  send(json: string): void;
  /** Resolves when there is room to send more. */
  room(): Promise<void>;
  onError(error: unknown): void;
}

/** A runtime's side of one connection in the `ui` dialect. */
export class UiServer {
  readonly handlers: UiHandlers;
  readonly #desk: Desk;
  readonly #told: Told;
  readonly #connection = randomId();

  constructor(options: UiServerOptions) {
    const { services, sink, send, room, onError } = options;
    this.#told = { client: "ui", seen: {} };
    this.#desk = new Desk({ services, sink, send, onError });
    const about = { services, desk: this.#desk, told: this.#told, connection: this.#connection };
    this.handlers = uiHandlers({ ...about, send, room });
  }

  /** The UI answers a `ui.*` request. */
  async onReply({ id, ...reply }: RpcReply): Promise<void> {
    const askId = String(id);
    const session = await this.#desk.sessionOfAsk(askId);
    const summary = await (await this.#desk.node()).runtime.store.session(session.id);
    const kind = summary?.asks.find((ask) => ask.askId === askId)?.kind ?? "confirm";
    await session.answer(askId, answerIn(kind, reply), originOf(this.#told, this.#connection));
  }

  /** To be called when something that was sent has left. */
  pump(): void {
    this.#desk.pump();
  }

  /** The UI will answer nothing any more, and may still listen. */
  detach(): void {
    this.#desk.detach();
  }

  caughtUp(): Promise<boolean> {
    return this.#desk.caughtUp();
  }

  close(): void {
    this.#desk.close();
  }
}
