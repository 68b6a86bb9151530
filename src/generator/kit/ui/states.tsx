import type { ReactNode } from "react";
import type { ApiError, ApiErrorKind } from "../api/backend.ts";
import { usualMessages } from "../api/server-errors.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { useShellActions } from "./shell-actions.ts";

/** Nothing to show, why, and what to do about it. */
export function EmptyState({
  icon = "inbox",
  title,
  children,
  actions,
}: {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="empty">
      <div className="empty-icon">
        <Icon name={icon} size={28} />
      </div>
      <h2 className="empty-title">{title}</h2>
      {children && <div className="empty-text">{children}</div>}
      {actions && <div className="empty-actions">{actions}</div>}
    </div>
  );
}

interface FailureText {
  icon: IconName;
  title: string;
  /** Instead of what the API says. */
  text?: string;
  /** If the API says nothing. */
  usual?: string;
}

const failureTexts: Record<ApiErrorKind, FailureText> = {
  network: { icon: "offline", title: "The API cannot be reached" },
  aborted: { icon: "alert", title: "The request was cancelled" },
  unauthorized: {
    icon: "lock",
    title: "Sign in to see this",
    text: "The API wants to know who you are.",
  },
  forbidden: {
    icon: "lock",
    title: "You may not see this",
    text: "Your credentials do not allow it.",
  },
  notFound: { icon: "search", title: "Not found", text: "It may have been deleted or moved." },
  invalid: { icon: "alert", title: "The API did not accept the request" },
  conflict: { icon: "alert", title: "Somebody else changed this" },
  rateLimited: { icon: "alert", title: "Too many requests" },
  server: {
    icon: "server",
    title: "The API failed",
    usual: "It answered with an error. Try again in a moment.",
  },
  badResponse: { icon: "alert", title: "The answer cannot be understood" },
};

const offlineText: FailureText = {
  icon: "offline",
  title: "You are offline",
  text: "Try again when you are connected.",
};

function failureText(error: ApiError): FailureText {
  return error.kind === "network" && !navigator.onLine ? offlineText : failureTexts[error.kind];
}

/** The way out of a failure that other credentials may end. */
export function ConnectButton({ error }: { error: ApiError }) {
  const { openConnect } = useShellActions();
  if (error.kind !== "unauthorized" && error.kind !== "forbidden") return null;
  return (
    <Button tone="primary" icon="plug" onClick={openConnect}>
      {error.kind === "forbidden" ? "Use other credentials" : "Connect"}
    </Button>
  );
}

/** A failure with its way out: connect, or try again. */
export function Failure({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  const { icon, title, text, usual } = failureText(error);
  const said = error.message === usualMessages[error.kind] ? usual : undefined;
  const actions = (
    <>
      <ConnectButton error={error} />
      {onRetry && (
        <Button icon="reload" onClick={onRetry}>
          Try again
        </Button>
      )}
    </>
  );
  return (
    <div role="alert">
      <EmptyState icon={icon} title={title} actions={actions}>
        <p>{text ?? said ?? error.message}</p>
        {error.hint && <p>{error.hint}</p>}
        {error.retryAfter !== undefined && <p>Try again in {error.retryAfter} seconds.</p>}
      </EmptyState>
      <FailureDetails error={error} />
    </div>
  );
}

function FailureDetails({ error }: { error: ApiError }) {
  return (
    <details className="failure-details">
      <summary>Details</summary>
      <p>
        {error.status !== undefined && <strong>HTTP {error.status} </strong>}
        {error.message}
      </p>
      {error.answer && <pre>{error.answer}</pre>}
    </details>
  );
}

/** Stands for lines of text that are being loaded. It appears only if that takes a while. */
export function SkeletonLines({ lines = 6 }: { lines?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">Loading…</span>
      {Array.from({ length: lines }, (_, index) => `line ${index}`).map((line) => (
        <div key={line} className="skeleton-line" aria-hidden="true" />
      ))}
    </div>
  );
}

export function SkeletonTable({ rows = 8, columns = 5 }: { rows?: number; columns?: number }) {
  return (
    <div className="skeleton skeleton-table" role="status">
      <span className="visually-hidden">Loading…</span>
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((row) => (
        <div key={row} className="skeleton-row" aria-hidden="true">
          {Array.from({ length: columns }, (_, column) => `column ${column}`).map((column) => (
            <div key={column} className="skeleton-line" />
          ))}
        </div>
      ))}
    </div>
  );
}
