import { useEffect, useLayoutEffect, useState } from "react";
import type { InterfaceHost } from "../api/session.ts";
import type { Settings } from "../descriptor.ts";
import { accentProperties } from "./accent.ts";

export type Theme = Settings["theme"];

/** The theme that was chosen, for this visit. The styles follow `data-theme` of the document. */
export function useTheme(initial: Theme, host?: InterfaceHost): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(host?.theme() ?? initial);
  useEffect(() => host?.subscribe(() => setTheme(host.theme() ?? initial)), [host, initial]);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [theme, setTheme];
}

/** What else the styles follow: sizes, corners and the accent. */
export function useLook({ density, textSize, corners, accent = "" }: Settings) {
  useLayoutEffect(() => {
    const { dataset, style } = document.documentElement;
    dataset.density = density ?? "normal";
    dataset.textSize = textSize ?? "normal";
    dataset.corners = corners ?? "normal";
    for (const [name, value] of Object.entries(accentProperties(accent))) {
      style.setProperty(name, value);
    }
  }, [density, textSize, corners, accent]);
}
