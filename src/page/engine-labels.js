import { element, setText } from "./element.js";

const UNKNOWN = "Agent";

/**
 * Names over each answer the engine that gave it. The stream tells when another one goes on, but not which was the first: that one the list
 * of sessions has said before the change, or nobody knows it.
 */
export class EngineLabels {
  #box;
  #name = UNKNOWN;
  /** The event of the log at which the list said it. */
  #listedAt;
  #isToldByStream = false;

  /** `box` is where the answers are. */
  constructor(box) {
    this.#box = box;
  }

  next() {
    return element("p", { class: "label engine" }, this.#name);
  }

  /** The first time counts: when the list says another one, the stream has told of it, or will. */
  listed(engine, seq) {
    if (this.#isToldByStream || this.#listedAt !== undefined) return;
    this.#listedAt = seq;
    this.#rename(engine);
  }

  /** Another engine goes on, from the event `seq` on. */
  changed(engine, seq) {
    if (!this.#isToldByStream && this.#listedAt >= seq) this.#rename(UNKNOWN);
    this.#isToldByStream = true;
    this.#name = engine;
  }

  #rename(name) {
    this.#name = name;
    for (const label of this.#box.querySelectorAll(".engine")) setText(label, name);
  }
}
