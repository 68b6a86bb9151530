import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useClickOutside, usePlaceBelow } from "./floating.ts";
import { Icon, type IconName } from "./icon.tsx";

/** A button that opens a small panel with inputs. */
export function PopoverButton({
  label,
  icon,
  className = "button button-plain",
  children,
}: {
  label: ReactNode;
  icon?: IconName;
  className?: string;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {icon && <Icon name={icon} />}
        <span>{label}</span>
        <Icon name="chevronDown" size={14} />
      </button>
      {open && (
        <PopoverPanel anchor={button} onClose={() => setOpen(false)}>
          {children}
        </PopoverPanel>
      )}
    </>
  );
}

function PopoverPanel({
  anchor,
  onClose,
  children,
}: {
  anchor: { readonly current: HTMLElement | null };
  onClose: () => void;
  children: ReactNode;
}) {
  const panel = useRef<HTMLDivElement>(null);
  const place = usePlaceBelow(anchor, panel);
  useClickOutside([panel, anchor], onClose);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>("input, select, button")?.focus();
  }, []);
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    anchor.current?.focus();
    onClose();
  };
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={anchor.current?.textContent ?? undefined}
      className="popover"
      popover="manual"
      style={place}
      onKeyDown={closeByKey}
    >
      {children}
    </div>
  );
}
