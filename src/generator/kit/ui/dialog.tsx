import {
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { Button, type ButtonTone, IconButton } from "./button.tsx";

/** What a dialog starts with: an answer that says so, or else its first input. */
const firstFocus = "[data-first], .dialog-body :is(input, select, textarea):not(:disabled)";

/**
 * A modal dialog for as long as it is rendered. The browser keeps the focus inside, and gives it
 * back to where it was.
 */
export function Dialog({
  title,
  children,
  footer,
  onClose,
  className = "",
}: {
  title: string;
  children: ReactNode;
  footer?: ReactNode;
  onClose: () => void;
  className?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>(firstFocus)?.focus();
    return () => element?.close(); // before it leaves the page, or the focus would be lost
  }, []);
  const cancel = (event: SyntheticEvent) => {
    if (event.target !== event.currentTarget) return; // a file input inside was cancelled
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      onCancel={cancel}
      onMouseDown={(event) => isBackdrop(event) && onClose()}
    >
      <div className="dialog-frame">
        <header className="dialog-header">
          <h2 id={titleId} className="dialog-title">
            {title}
          </h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        <div className="dialog-body">{children}</div>
        {footer && <footer className="dialog-footer">{footer}</footer>}
      </div>
    </dialog>
  );
}

function isBackdrop(event: MouseEvent<HTMLDialogElement>): boolean {
  return event.target === event.currentTarget;
}

/** Asks before something is done. The safe answer has the focus. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  cancelLabel = "Cancel",
  tone = "danger",
  busy = false,
  onConfirm,
  onCancel,
}: {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: ButtonTone;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const footer = (
    <>
      <Button onClick={onCancel} first>
        {cancelLabel}
      </Button>
      <Button tone={tone} onClick={onConfirm} busy={busy}>
        {confirmLabel}
      </Button>
    </>
  );
  return (
    <Dialog title={title} footer={footer} onClose={onCancel} className="dialog-small">
      {children}
    </Dialog>
  );
}
