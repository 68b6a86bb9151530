import type { ReactNode } from "react";
import { Icon } from "../icon.tsx";

/** The address if a browser may follow it: data must not bring `javascript:` onto the page. */
export function safeAddress(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return protocol === "http:" || protocol === "https:" ? href : undefined;
  } catch {
    return undefined;
  }
}

/** The same for pictures, which may also stand in the data themselves. */
export function safePicture(text: string): string | undefined {
  return /^data:image\//i.test(text) ? text : safeAddress(text);
}

export function SafeLink({ address, children }: { address: string; children?: ReactNode }) {
  const href = safeAddress(address);
  if (!href) return <>{children ?? address}</>;
  return (
    <a
      className="external"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => event.stopPropagation()}
    >
      <span className="external-text">{children ?? address.replace(/^https?:\/\//, "")}</span>
      <Icon name="external" size={12} />
    </a>
  );
}

export function EmailLink({ address }: { address: string }) {
  if (!/^[^\s@:?&]+@[^\s@:?&]+$/.test(address)) return <>{address}</>;
  return (
    <a href={`mailto:${address}`} onClick={(event) => event.stopPropagation()}>
      {address}
    </a>
  );
}
