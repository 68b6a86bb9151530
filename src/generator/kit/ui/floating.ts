import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from "react";

interface ElementRef {
  readonly current: HTMLElement | null;
}

const gap = 4;

/**
 * Shows an element above all others, below its anchor or over it, and within the window. It follows
 * the anchor when something scrolls, and is placed anew when its own size changes.
 */
export function usePlaceBelow(anchor: ElementRef, floating: ElementRef): CSSProperties {
  const [place, setPlace] = useState<Record<string, string>>({});
  useLayoutEffect(() => {
    const element = floating.current;
    if (!anchor.current || !element) return;
    element.showPopover();
    const follow = () => anchor.current && setPlace(placeBelow(anchor.current, element));
    const sizes = new ResizeObserver(follow);
    sizes.observe(element);
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    window.addEventListener("scroll", follow, options);
    window.addEventListener("resize", follow, options);
    follow();
    return () => {
      listening.abort();
      sizes.disconnect();
    };
  }, [anchor, floating]);
  return place;
}

function placeBelow(anchor: HTMLElement, element: HTMLElement): Record<string, string> {
  const box = anchor.getBoundingClientRect();
  const below = box.bottom + gap;
  const above = box.top - gap - element.offsetHeight;
  const lowest = window.innerHeight - gap - element.offsetHeight;
  const top = below <= lowest ? below : above >= 0 ? above : Math.max(gap, lowest);
  const left = Math.min(box.left, window.innerWidth - element.offsetWidth - 2 * gap);
  return {
    "--top": `${top}px`,
    "--left": `${Math.max(gap, left)}px`,
    "--anchor-width": `${box.width}px`,
  };
}

export function useClickOutside(inside: ElementRef[], onOutside: () => void) {
  const latest = useRef({ inside, onOutside });
  useEffect(() => {
    latest.current = { inside, onOutside };
  });
  useEffect(() => {
    const check = (event: Event) => {
      const target = event.target;
      if (!(target instanceof Node)) return;
      const isInside = latest.current.inside.some((it) => it.current?.contains(target));
      if (!isInside) latest.current.onOutside();
    };
    document.addEventListener("pointerdown", check, true);
    return () => document.removeEventListener("pointerdown", check, true);
  }, []);
}
