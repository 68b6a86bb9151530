import type { EngineIO } from "../../core/engine.ts";

/** The words of a run: the same in the end as they were told piece by piece, with an empty line between two messages. */
export class CopilotAnswer {
  readonly #io: EngineIO;
  #text = "";
  #thought = "";
  /** The messages and thoughts of which something was told. */
  readonly #told = new Set<string>();

  constructor(io: EngineIO) {
    this.#io = io;
  }

  get text(): string {
    return this.#text;
  }

  async say(messageId: string, piece: string): Promise<void> {
    if (piece === "") return;
    const text = this.#text !== "" && !this.#told.has(messageId) ? `\n\n${piece}` : piece;
    this.#told.add(messageId);
    this.#text += text;
    await this.#io.emit({ type: "text.delta", text, of: "answer" });
  }

  /** A whole message, of which nothing was told before if it was not streamed. */
  async sayWhole(messageId: string, content: string): Promise<void> {
    if (!this.#told.has(messageId)) await this.say(messageId, content);
  }

  async think(thoughtId: string, piece: string): Promise<void> {
    if (piece === "") return;
    const isNext = this.#thought !== "" && this.#thought !== thoughtId;
    this.#thought = thoughtId;
    this.#told.add(thoughtId);
    await this.#io.emit({ type: "thinking.delta", text: isNext ? `\n\n${piece}` : piece });
  }

  async thinkWhole(thoughtId: string, content: string): Promise<void> {
    if (!this.#told.has(thoughtId)) await this.think(thoughtId, content);
  }
}
