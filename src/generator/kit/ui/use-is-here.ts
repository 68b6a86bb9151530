import { useEffect, useRef } from "react";

/** Whether the page is still shown: an answer that comes late must not lead away from another one. */
export function useIsHere(): () => boolean {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return () => here.current;
}
