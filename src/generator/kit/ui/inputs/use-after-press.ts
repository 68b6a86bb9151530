import { useCallback, useEffect, useRef } from "react";

/**
 * Runs something once no button of a mouse is held. What appeared before that would move away what
 * is being clicked: leaving a field by pressing a button must not make the click miss it.
 */
export function useAfterPress(): (task: () => void) => void {
  const isPressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    const press = () => {
      isPressed.current = true;
    };
    const release = () => {
      isPressed.current = false;
      for (const task of waiting.current.splice(0)) runAfterClick(task);
    };
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    document.addEventListener("pointerdown", press, options);
    document.addEventListener("pointerup", release, options);
    document.addEventListener("pointercancel", release, options);
    return () => listening.abort();
  }, []);
  return useCallback((task) => {
    if (isPressed.current) waiting.current.push(task);
    else runAfterClick(task);
  }, []);
}

/** The click follows the release at once. A touch is told as a press and a click without a pause. */
function runAfterClick(task: () => void) {
  window.setTimeout(task);
}
