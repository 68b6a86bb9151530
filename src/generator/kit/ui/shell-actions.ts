import { createContext, useContext } from "react";

/** What any screen can ask of the frame around it. */
export interface ShellActions {
  openConnect: () => void;
  openPalette: () => void;
}

export const ShellActionsContext = createContext<ShellActions>({
  openConnect: () => {},
  openPalette: () => {},
});

export function useShellActions(): ShellActions {
  return useContext(ShellActionsContext);
}
