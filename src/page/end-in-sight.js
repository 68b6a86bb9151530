const NEAR_END = 40;

/** Keeps the end of what grows in sight: not for whoever has scrolled away from it, and again when they are back. */
export class EndInSight {
  #box;
  #holds = true;
  #leaving = new AbortController();

  constructor(box) {
    this.#box = box;
    const look = () => {
      const { scrollHeight, scrollTop, clientHeight } = this.#room();
      this.#holds = scrollHeight - scrollTop - clientHeight < NEAR_END;
    };
    for (const scrolled of [box, document]) scrolled.addEventListener("scroll", look, { signal: this.#leaving.signal });
  }

  get holds() {
    return this.#holds;
  }

  /** To be called when there is more to see, or less room. Where the page itself scrolls, `first` is seen from its beginning. */
  keep(first) {
    if (!this.#holds) return;
    const room = this.#room();
    room.scrollTop = room.scrollHeight;
    if (room !== this.#box && first?.getBoundingClientRect().top < 0) first.scrollIntoView();
  }

  close() {
    this.#leaving.abort();
  }

  /** In a small window the page scrolls, and nothing in it. */
  #room() {
    return getComputedStyle(this.#box).overflowY === "visible" ? document.scrollingElement : this.#box;
  }
}
