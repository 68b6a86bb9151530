import type { Frame, NumberedFrame } from "../dialects/dialect.ts";
import type { Sink } from "../dialects/feed.ts";

/** A client that takes what it is sent when it is told to, or at once. */
export class MemorySink implements Sink {
  readonly received: Frame[] = [];
  #queue: Frame[] = [];
  mostUnsent = { messages: 0, bytes: 0 };
  onDrain = () => {};

  constructor(public open = true) {}

  get unsent() {
    return { messages: this.#queue.length, bytes: this.#queue.reduce((sum, frame) => sum + frame.text.length, 0) };
  }

  write(frames: Frame[]): void {
    if (this.open) this.received.push(...frames);
    else this.#queue.push(...frames);
    const { messages, bytes } = this.unsent;
    this.mostUnsent = {
      messages: Math.max(this.mostUnsent.messages, messages),
      bytes: Math.max(this.mostUnsent.bytes, bytes),
    };
  }

  /** Takes what is waiting, and says so. */
  drain(): void {
    this.received.push(...this.#queue);
    this.#queue = [];
    this.onDrain();
  }

  get numbered(): NumberedFrame[] {
    return this.received.filter((frame): frame is NumberedFrame => "seq" in frame);
  }
}
