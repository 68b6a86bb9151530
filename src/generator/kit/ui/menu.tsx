import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useClickOutside, usePlaceBelow } from "./floating.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface MenuItem {
  id: string;
  label: string;
  icon?: IconName;
  danger?: boolean;
  /** Of a choice among several: whether it is the present one. */
  checked?: boolean;
  onSelect: () => void;
}

/** A button that opens a menu. Arrow keys move in it, Escape closes it and returns the focus. */
export function Menu({
  label,
  items,
  children,
  className = "icon-button",
}: {
  /** What the button is called. It is seen only if there are no `children`. */
  label: string;
  items: MenuItem[];
  children: ReactNode;
  className?: string;
}) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        onClick={(event) => {
          event.stopPropagation();
          setOpen(!open);
        }}
        onKeyDown={openByKey}
      >
        {children}
      </button>
      {open && (
        <MenuList
          id={menuId}
          label={label}
          items={items}
          anchor={button}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function MenuList({
  id,
  label,
  items,
  anchor,
  onClose,
}: {
  id: string;
  label: string;
  items: MenuItem[];
  anchor: { readonly current: HTMLElement | null };
  onClose: () => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const place = usePlaceBelow(anchor, list);
  useEffect(() => {
    list.current?.querySelector<HTMLElement>("button")?.focus();
  }, []);
  useClickOutside([list, anchor], onClose);
  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      anchor.current?.focus();
      return onClose();
    }
    moveFocus(list.current, event);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps a click from the row below
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div className="menu-layer" onClick={(event) => event.stopPropagation()}>
      <div
        ref={list}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu"
        style={place}
        popover="manual"
        onKeyDown={handleKey}
      >
        {items.map((item) => (
          <button
            key={item.id}
            type="button"
            {...menuRole(item)}
            className={item.danger ? "menu-item menu-item-danger" : "menu-item"}
            tabIndex={-1}
            onClick={() => {
              anchor.current?.focus();
              onClose();
              item.onSelect();
            }}
          >
            {item.icon && <Icon name={item.icon} />}
            <span className="menu-label">{item.label}</span>
            {item.checked && <Icon name="check" />}
          </button>
        ))}
      </div>
    </div>
  );
}

function menuRole({ checked }: MenuItem) {
  if (checked === undefined) return { role: "menuitem" };
  return { role: "menuitemradio", "aria-checked": checked };
}

function moveFocus(list: HTMLElement | null, event: KeyboardEvent) {
  const items = [...(list?.querySelectorAll<HTMLElement>("button") ?? [])];
  const present = items.findIndex((item) => item.matches(":focus"));
  const next = {
    ArrowDown: (present + 1) % items.length,
    ArrowUp: (present - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}
