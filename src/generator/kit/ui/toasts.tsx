import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface Toast {
  id: number;
  tone: "good" | "bad";
  text: string;
}

export type Notify = (text: string, tone?: Toast["tone"]) => void;

const ToastContext = createContext<Notify>(() => {});

/** Tells what just happened, without taking the focus. */
export function useNotify(): Notify {
  return useContext(ToastContext);
}

const mostToasts = 3;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const notify = useMemo<Notify>(() => {
    let count = 0;
    return (text, tone = "good") => {
      const toast = { id: ++count, tone, text };
      setToasts((present) => [...present, toast].slice(-mostToasts));
    };
  }, []);
  const dismiss = (id: number) => setToasts((present) => present.filter((it) => it.id !== id));
  return (
    <ToastContext value={notify}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onDismiss={() => dismiss(toast.id)} />
        ))}
      </div>
    </ToastContext>
  );
}

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: () => void }) {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    if (toast.tone === "bad") return; // stays until it is closed
    const timer = window.setTimeout(() => setRead(true), 5000);
    return () => window.clearTimeout(timer);
  }, [toast.tone]);
  return (
    <div
      className={`toast toast-${toast.tone}`}
      data-leaving={isRead || undefined}
      onTransitionEnd={() => isRead && onDismiss()}
    >
      <Icon name={toast.tone === "good" ? "check" : "alert"} />
      <p>{toast.text}</p>
      <IconButton icon="close" label="Dismiss" onClick={onDismiss} />
    </div>
  );
}
