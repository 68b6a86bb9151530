import { type KeyboardEvent, useId, useState } from "react";
import type { ResourceEntry } from "../descriptor.ts";
import { Dialog } from "./dialog.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { filterEntries, shownEntries } from "./navigation.ts";
import type { Route } from "./route.ts";
import { useRouter } from "./router.tsx";
import { useWorkspace } from "./workspace.tsx";

interface PaletteItem {
  id: string;
  label: string;
  hint?: string;
  icon: IconName;
  to: Route;
}

const mostPaletteItems = 30;

/** Any page by a few letters of its name. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const listId = useId();
  const [search, setSearch] = useState("");
  const [active, setActive] = useState(0);
  const items = usePaletteItems(search);
  const choose = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    router.navigate(item.to);
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive((active + step + items.length) % Math.max(1, items.length));
    else if (event.key === "Enter") choose(items[active]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Jump to" onClose={onClose} className="palette">
      <div className="palette-input">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Jump to a page"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={items[active] ? `${listId}-${active}` : undefined}
          autoComplete="off"
          placeholder="Jump to…"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setActive(0);
          }}
          onKeyDown={handleKey}
        />
      </div>
      <div id={listId} role="listbox" aria-label="Pages" className="palette-list">
        {items.map((item, index) => (
          <PaletteOption
            key={item.id}
            id={`${listId}-${index}`}
            item={item}
            active={index === active}
            onChoose={() => choose(item)}
          />
        ))}
      </div>
      {items.length === 0 && <p className="palette-empty">Nothing matches “{search}”.</p>}
    </Dialog>
  );
}

function PaletteOption({
  id,
  item,
  active,
  onChoose,
}: {
  id: string;
  item: PaletteItem;
  active: boolean;
  onChoose: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard works in the input above
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className="palette-item"
      ref={(element) => {
        if (active) element?.scrollIntoView({ block: "nearest" });
      }}
      onClick={onChoose}
    >
      <Icon name={item.icon} />
      <span className="palette-label">{item.label}</span>
      {item.hint && <span className="palette-hint">{item.hint}</span>}
    </div>
  );
}

function usePaletteItems(search: string): PaletteItem[] {
  const { resources, api } = useWorkspace().descriptor;
  const pages: PaletteItem[] = [
    { id: "~home", label: "Overview", icon: "home", to: { page: "home" } },
  ];
  if (api.actions.length > 0) {
    pages.push({
      id: "~operations",
      label: "Operations",
      icon: "bolt",
      to: { page: "operations" },
    });
  }
  const fitting = pages.filter((page) => page.label.toLowerCase().includes(search.toLowerCase()));
  const found = filterEntries(shownEntries(resources), search).map(entryItem);
  return [...(search ? [] : fitting), ...found, ...(search ? fitting : [])].slice(
    0,
    mostPaletteItems,
  );
}

function entryItem(entry: ResourceEntry): PaletteItem {
  const to: Route = { page: "list", resource: entry.id, query: {} };
  return { id: entry.id, label: entry.plural, hint: entry.group, icon: "box", to };
}
