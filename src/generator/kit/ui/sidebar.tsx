import { memo, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import type { ResourceEntry } from "../descriptor.ts";
import { Icon } from "./icon.tsx";
import { filterEntries, navigationGroups, searchableFrom, shownEntries } from "./navigation.ts";
import { Link, useRouter } from "./router.tsx";
import { useShellActions } from "./shell-actions.ts";
import { useWorkspace } from "./workspace.tsx";

/** The pages of the interface, by group. It stays usable with hundreds of them. */
export function Sidebar({ onFollow }: { onFollow?: () => void }) {
  const { descriptor } = useWorkspace();
  const { openPalette } = useShellActions();
  const [search, setSearch] = useState("");
  const isLarge = shownEntries(descriptor.resources).length >= searchableFrom;
  return (
    <div className="sidebar">
      <ApiName onFollow={onFollow} />
      {isLarge ? (
        <NavigationSearch search={search} onSearch={setSearch} />
      ) : (
        <PaletteButton onOpen={openPalette} />
      )}
      <nav aria-label="Main" className="navigation">
        {search === "" && <FixedLinks onFollow={onFollow} />}
        <NavigationEntries search={useDeferredValue(search)} onFollow={onFollow} />
      </nav>
    </div>
  );
}

/** Apart, and remembered, so that typing stays fluent while hundreds of links are made. */
const NavigationEntries = memo(function NavigationEntries({
  search,
  onFollow,
}: {
  search: string;
  onFollow?: () => void;
}) {
  const { descriptor } = useWorkspace();
  const shown = filterEntries(shownEntries(descriptor.resources), search);
  if (shown.length === 0 && search !== "") {
    return <p className="navigation-empty">Nothing matches “{search}”.</p>;
  }
  return navigationGroups(shown).map((group) => (
    <EntryGroup
      key={group.label ?? ""}
      label={group.label}
      entries={group.entries}
      onFollow={onFollow}
    />
  ));
});

export function ApiName({ onFollow }: { onFollow?: () => void }) {
  const { api } = useWorkspace().descriptor;
  return (
    <Link to={{ page: "home" }} className="api-name" onFollow={onFollow}>
      <span className="api-mark" aria-hidden="true">
        {api.title.trim().charAt(0).toUpperCase() || "A"}
      </span>
      <span className="api-text">
        <span className="api-title" title={api.title}>
          {api.title}
        </span>
        {api.version && <span className="api-version">{api.version}</span>}
      </span>
    </Link>
  );
}

function NavigationSearch({
  search,
  onSearch,
}: {
  search: string;
  onSearch: (search: string) => void;
}) {
  return (
    <div className="navigation-search">
      <Icon name="search" />
      <input
        type="search"
        className="input"
        aria-label="Find a resource"
        placeholder="Find…"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
      />
    </div>
  );
}

function PaletteButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button type="button" className="palette-button" onClick={onOpen}>
      <Icon name="search" />
      <span>Jump to…</span>
      <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"}</kbd>
    </button>
  );
}

function FixedLinks({ onFollow }: { onFollow?: () => void }) {
  const { api } = useWorkspace().descriptor;
  const { route } = useRouter();
  return (
    <ul className="navigation-list">
      <li>
        <Link
          to={{ page: "home" }}
          className="navigation-link"
          current={route.page === "home"}
          onFollow={onFollow}
        >
          <Icon name="home" />
          <span>Overview</span>
        </Link>
      </li>
      {api.actions.length > 0 && (
        <li>
          <Link
            to={{ page: "operations" }}
            className="navigation-link"
            current={route.page === "operations"}
            onFollow={onFollow}
          >
            <Icon name="bolt" />
            <span>Operations</span>
          </Link>
        </li>
      )}
    </ul>
  );
}

function EntryGroup({
  label,
  entries,
  onFollow,
}: {
  label?: string;
  entries: ResourceEntry[];
  onFollow?: () => void;
}) {
  const headingId = useId();
  return (
    <div className="navigation-group">
      {label && (
        <h2 id={headingId} className="navigation-heading">
          {label}
        </h2>
      )}
      <ul className="navigation-list" aria-labelledby={label ? headingId : undefined}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <EntryLink entry={entry} onFollow={onFollow} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The one of the present page is brought into view, since there may be hundreds. */
export function EntryLink({ entry, onFollow }: { entry: ResourceEntry; onFollow?: () => void }) {
  const { route } = useRouter();
  const label = useRef<HTMLSpanElement>(null);
  const isCurrent = "resource" in route && route.resource === entry.id;
  useEffect(() => {
    if (isCurrent) label.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <Link
      to={{ page: "list", resource: entry.id, query: {} }}
      className="navigation-link"
      current={isCurrent}
      onFollow={onFollow}
    >
      <span ref={label} className="navigation-label">
        {entry.plural}
      </span>
    </Link>
  );
}
