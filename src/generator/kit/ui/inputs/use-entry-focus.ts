import { useEffect, useRef } from "react";

type Change = { added: number } | { removed: number };

/**
 * Where the focus goes in a list whose entries come and go: into a new one; after a removal to the
 * next one, or else to the button that adds.
 */
export function useEntryFocus() {
  const list = useRef<HTMLDivElement>(null);
  const change = useRef<Change>(undefined);
  useEffect(() => {
    const done = change.current;
    if (!done) return;
    change.current = undefined;
    const entries = list.current?.querySelectorAll(":scope > .repeat-item");
    const target =
      "added" in done
        ? entries?.[done.added]?.querySelector("input, select, textarea, button")
        : (entries?.[done.removed]?.querySelector(":scope > .repeat-tools > :last-child") ??
          list.current?.querySelector(":scope > .button"));
    if (target instanceof HTMLElement) target.focus();
  });
  return {
    list,
    /** To be called with the change itself. */
    added: (index: number) => {
      change.current = { added: index };
    },
    removed: (index: number) => {
      change.current = { removed: index };
    },
  };
}
