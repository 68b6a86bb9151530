import { DragomanError } from "../../../core/errors.ts";
import { randomId } from "../../../core/ids.ts";
import type { Caller } from "../../../core/roles.ts";
import type { Sink } from "../../feed.ts";
import type { RpcReply } from "../../json-rpc.ts";
import { answerIn } from "./answers.ts";
import { Desk } from "./desk.ts";
import { originOf, type Told, type UiHandlers, uiHandlers } from "./handlers.ts";
import { demandFor, demandToAnswer, type Method } from "./permitted.ts";
import type { Services } from "./services.ts";

export type { Services } from "./services.ts";

interface UiServerOptions {
  services: Services;
  /** Who is at the other end; without one it is the user, who may do everything. */
  caller?: Caller;
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
  #closed = false;

  constructor(options: UiServerOptions) {
    const { services, caller, sink, send, room, onError } = options;
    this.#told = { client: "ui", caller, seen: {} };
    this.#desk = new Desk({ services, caller, sink, send, onError });
    const about = { services, desk: this.#desk, told: this.#told, connection: this.#connection };
    const roomIfThere = async () => {
      await room();
      if (this.#closed) throw new DragomanError("cancelled", "The UI is gone."); // nothing long is made for nobody
    };
    this.handlers = uiHandlers({ ...about, send, room: roomIfThere });
  }

  /** Throws where the caller may not do that. */
  allow(method: Method): void {
    demandFor(method, this.#told.caller);
  }

  /** The UI answers a `ui.*` request. */
  async onReply({ id, ...reply }: RpcReply): Promise<void> {
    demandToAnswer(this.#told.caller);
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
    this.#closed = true;
    this.#desk.close();
  }
}
