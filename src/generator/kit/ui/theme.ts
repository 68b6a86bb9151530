import { useLayoutEffect, useState } from "react";
import type { Settings } from "../descriptor.ts";

export type Theme = Settings["theme"];

/** The theme that was chosen, for this visit. The styles follow `data-theme` of the document. */
export function useTheme(initial: Theme): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(initial);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [theme, setTheme];
}
