/** What we need of an element ourselves. */
export interface PageElement {
  isConnected: boolean;
  childNodes: ArrayLike<unknown>;
  textContent: string;
  parentElement: PageElement | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  getElementsByTagName(name: string): Iterable<PageElement>;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

const size = { x: 0, y: 0, top: 0, left: 0, right: 0, bottom: 0, width: 0, height: 0 };

/** Nothing is selected, ever. */
export const selection = {
  rangeCount: 0,
  isCollapsed: true,
  type: "None",
  anchorNode: null,
  focusNode: null,
  removeAllRanges: () => {},
  addRange: () => {},
  toString: () => "",
};

const empty = [
  ...["scrollIntoView", "scrollTo", "scrollBy", "select", "setSelectionRange", "setCustomValidity", "requestSubmit"],
  ...["setPointerCapture", "releasePointerCapture", "showPopover", "hidePopover", "togglePopover", "showPicker"],
  ...["reset", "play", "pause", "load"],
];

function show(this: PageElement): void {
  this.setAttribute("open", "");
}

/** What elements can do where they are drawn; here they only seem to. And which of them has the focus. */
export function abilities() {
  let last: PageElement | undefined;
  return {
    focused: () => (last?.isConnected ? last : undefined),
    ...Object.fromEntries(empty.map((name) => [name, () => {}])),
    focus(this: PageElement) {
      last = this;
    },
    blur() {
      last = undefined;
    },
    show,
    showModal: show,
    close(this: PageElement) {
      this.removeAttribute("open");
    },
    getBoundingClientRect: () => ({ ...size, toJSON: () => size }),
    getClientRects: () => [],
    getAnimations: () => [],
    animate: () => ({
      finished: Promise.resolve(),
      cancel: () => {},
      finish: () => {},
      play: () => {},
      pause: () => {},
    }),
    checkValidity: () => true,
    reportValidity: () => true,
    getContext: () => null,
  };
}
