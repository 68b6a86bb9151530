import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { ConnectDialog } from "./connect-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";
import { Menu } from "./menu.tsx";
import { shownEntries } from "./navigation.ts";
import { ShellActionsContext, useShellActions } from "./shell-actions.ts";
import { ApiName, EntryLink, Sidebar } from "./sidebar.tsx";
import { type Theme, useLook, useTheme } from "./theme.ts";
import { useWorkspace } from "./workspace.tsx";

type ShellOverlay = "palette" | "connect" | "navigation";

/** The frame around every page: navigation, connection, theme. */
export function Shell({ children }: { children: ReactNode }) {
  const { descriptor, host } = useWorkspace();
  const { settings } = descriptor;
  const [overlay, setOverlay] = useState<ShellOverlay>();
  const [theme, setTheme] = useTheme(settings.theme, host);
  useLook(settings);
  const close = () => setOverlay(undefined);
  const actions = {
    openPalette: () => setOverlay("palette"),
    openConnect: () => (host ? host.openConnection() : setOverlay("connect")),
  };
  usePaletteKey(actions.openPalette);
  const tools = <ShellTools theme={theme} onTheme={setTheme} />;
  return (
    <ShellActionsContext value={actions}>
      <SkipLink />
      <div className={`shell shell-${settings.layout}`}>
        {settings.layout === "side" && (
          <aside className="side" aria-label="Navigation">
            <Sidebar />
            <div className="side-footer">{tools}</div>
          </aside>
        )}
        <TopBar tools={tools} onOpenNavigation={() => setOverlay("navigation")} />
        <main id="content" className="shell-main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {overlay === "palette" && <CommandPalette onClose={close} />}
      {overlay === "connect" && <ConnectDialog onClose={close} />}
      {overlay === "navigation" && (
        <Dialog title="Menu" onClose={close} className="drawer">
          <Sidebar onFollow={close} />
        </Dialog>
      )}
    </ShellActionsContext>
  );
}

/** A button, not a link: the address belongs to the router. */
function SkipLink() {
  return (
    <button
      type="button"
      className="skip-link"
      onClick={() => document.getElementById("content")?.focus()}
    >
      Skip to content
    </button>
  );
}

/** On phones always, on larger screens if the navigation is to be at the top. */
function TopBar({ tools, onOpenNavigation }: { tools: ReactNode; onOpenNavigation: () => void }) {
  const { settings } = useWorkspace().descriptor;
  return (
    <header className="top-bar">
      <div className="top-bar-menu">
        <IconButton icon="menu" label="Open menu" onClick={onOpenNavigation} popup="dialog" />
      </div>
      <ApiName />
      {settings.layout === "top" && <TopLinks onOpenNavigation={onOpenNavigation} />}
      <div className="top-bar-tools">{tools}</div>
    </header>
  );
}

const mostTopLinks = 6;

function TopLinks({ onOpenNavigation }: { onOpenNavigation: () => void }) {
  const resources = shownEntries(useWorkspace().descriptor.resources);
  return (
    <nav aria-label="Main" className="top-bar-links">
      {resources.slice(0, mostTopLinks).map((entry) => (
        <EntryLink key={entry.id} entry={entry} />
      ))}
      {resources.length > mostTopLinks && (
        <Button tone="quiet" onClick={onOpenNavigation}>
          All {resources.length}
        </Button>
      )}
    </nav>
  );
}

const themeChoices = [
  { theme: "light", label: "Light", icon: "sun" },
  { theme: "dark", label: "Dark", icon: "moon" },
  { theme: "system", label: "As the system", icon: "system" },
] as const;

function ShellTools({ theme, onTheme }: { theme: Theme; onTheme: (theme: Theme) => void }) {
  const present = themeChoices.find((choice) => choice.theme === theme) ?? themeChoices[2];
  const items = themeChoices.map((choice) => ({
    id: choice.theme,
    label: choice.label,
    icon: choice.icon,
    checked: choice.theme === theme,
    onSelect: () => onTheme(choice.theme),
  }));
  return (
    <>
      <ConnectionBadge />
      <Menu label={`Theme: ${present.label}`} items={items}>
        <Icon name={present.icon} />
      </Menu>
    </>
  );
}

/** Says whether what is seen is real, and opens the form that changes it. */
function ConnectionBadge() {
  const { connection } = useWorkspace();
  const { openConnect } = useShellActions();
  return (
    <button
      type="button"
      className="connection"
      onClick={openConnect}
      aria-haspopup="dialog"
      title="Connection"
    >
      <span className={`dot dot-${connection.mode}`} aria-hidden="true" />
      {connection.mode === "live" ? "Live" : "Sample data"}
    </button>
  );
}

function usePaletteKey(open: () => void) {
  const openByKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!document.querySelector("dialog[open]")) open();
  });
  useEffect(() => {
    window.addEventListener("keydown", openByKey);
    return () => window.removeEventListener("keydown", openByKey);
  }, []);
}
