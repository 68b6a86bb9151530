import type { ReactNode, Ref } from "react";
import { Icon, type IconName } from "./icon.tsx";
import type { Route } from "./route.ts";
import { Link } from "./router.tsx";

export type ButtonTone = "primary" | "plain" | "quiet" | "danger";

export function Button({
  children,
  onClick,
  tone = "plain",
  icon,
  busy = false,
  disabled = false,
  first = false,
  size,
  describedBy,
}: {
  children: ReactNode;
  onClick: () => void;
  tone?: ButtonTone;
  icon?: IconName;
  /** Its work is under way: it says so and cannot be pressed twice. */
  busy?: boolean;
  disabled?: boolean;
  /** It has the focus when its dialog opens. */
  first?: boolean;
  size?: "small";
  describedBy?: string;
}) {
  return (
    <button
      type="button"
      className={buttonClass(tone, size)}
      onClick={() => !busy && onClick()}
      disabled={disabled}
      aria-busy={busy || undefined}
      aria-describedby={describedBy}
      data-first={first || undefined}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

/** A button that is only an icon. Its label is what it is called, and its tooltip. */
export function IconButton({
  icon,
  label,
  onClick,
  disabled = false,
  pressed,
  ref,
  expanded,
  popup,
}: {
  icon: IconName;
  label: string;
  onClick: () => void;
  disabled?: boolean;
  pressed?: boolean;
  ref?: Ref<HTMLButtonElement>;
  expanded?: boolean;
  popup?: "menu" | "dialog";
}) {
  return (
    <button
      ref={ref}
      type="button"
      className="icon-button"
      onClick={onClick}
      disabled={disabled}
      aria-label={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-haspopup={popup}
      title={label}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Looks like a button and leads to another page. */
export function ButtonLink({
  to,
  children,
  tone = "plain",
  icon,
}: {
  to: Route;
  children: ReactNode;
  tone?: ButtonTone;
  icon?: IconName;
}) {
  return (
    <Link to={to} className={buttonClass(tone)}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </Link>
  );
}

function buttonClass(tone: ButtonTone, size?: "small"): string {
  return `button button-${tone}${size ? ` button-${size}` : ""}`;
}
