import {
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { ConfirmDialog } from "./dialog.tsx";
import { hashOf, isSamePage, type Route, routeOf, startRoute } from "./route.ts";
import { useWorkspace } from "./workspace.tsx";

export interface Router {
  route: Route;
  /** Asks first if a form has unsaved changes, unless it is the form itself that leaves. */
  navigate(to: Route, options?: { replace?: boolean; leaveForm?: boolean }): void;
  /** How often a page was changed. The first page does not take the focus, later ones do. */
  visits: number;
  /** A form says whether it has changes that would be lost; there may be another one over it. */
  guard(form: string, hasChanges: boolean): void;
}

const RouterContext = createContext<Router | undefined>(undefined);

export function useRouter(): Router {
  const router = useContext(RouterContext);
  if (!router) throw new Error("useRouter needs a RouterProvider above it.");
  return router;
}

/** Where a navigation leads, and whether going back is to lead past the present page. */
interface Destination {
  hash: string;
  replace: boolean;
}

/**
 * Keeps the route in memory and mirrors it in the address, where that is allowed: a sandboxed
 * frame may refuse, and everything but the browser's back button still works.
 */
export function RouterProvider({ children }: { children: ReactNode }) {
  const { home } = useWorkspace().descriptor.settings;
  const addressed = () => hashOf(startRoute(window.location.hash, home));
  const [hash, setHash] = useState(addressed);
  const [visits, setVisits] = useState(0);
  const [held, setHeld] = useState<Destination>();
  const changed = useRef(new Set<string>());
  const route = useMemo(() => routeOf(hash), [hash]);

  const show = (next: string) => {
    setHeld(undefined);
    setHash(next);
    if (isSamePage(routeOf(next), route)) return;
    changed.current.clear();
    setVisits((count) => count + 1);
  };
  const go = (to: Destination) => {
    if (to.hash !== hash) mirrorInAddress(to);
    if (!isSamePage(routeOf(to.hash), route)) window.scrollTo(0, 0);
    show(to.hash);
  };
  useAddress(() => {
    const next = addressed();
    if (next === hash) return;
    if (changed.current.size === 0) return show(next);
    mirrorInAddress({ hash, replace: false });
    setHeld({ hash: next, replace: false });
  });
  useLeaveWarning(changed);

  const router: Router = {
    route,
    visits,
    navigate(to, { replace = false, leaveForm = false } = {}) {
      const next = { hash: hashOf(to), replace };
      if (changed.current.size > 0 && !leaveForm && !isSamePage(to, route)) setHeld(next);
      else go(next);
    },
    guard(form, hasChanges) {
      if (hasChanges) changed.current.add(form);
      else changed.current.delete(form);
    },
  };
  return (
    <RouterContext value={router}>
      {children}
      {held && <DiscardDialog onStay={() => setHeld(undefined)} onLeave={() => go(held)} />}
    </RouterContext>
  );
}

/** Calls whenever a person changes the address: by the back button, or by hand. */
function useAddress(onChange: () => void) {
  const report = useEffectEvent(onChange);
  useEffect(() => {
    window.addEventListener("popstate", report);
    window.addEventListener("hashchange", report);
    return () => {
      window.removeEventListener("popstate", report);
      window.removeEventListener("hashchange", report);
    };
  }, []);
}

/** The browser asks, too, before a page with unsaved changes is closed. */
function useLeaveWarning(changed: { readonly current: ReadonlySet<string> }) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (changed.current.size > 0) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [changed]);
}

function DiscardDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <ConfirmDialog
      title="Discard your changes?"
      confirmLabel="Discard changes"
      cancelLabel="Keep editing"
      onCancel={onStay}
      onConfirm={onLeave}
    >
      What you entered has not been saved.
    </ConfirmDialog>
  );
}

function mirrorInAddress({ hash, replace }: Destination) {
  try {
    if (replace) window.history.replaceState(null, "", hash);
    else window.history.pushState(null, "", hash);
  } catch {
    // The frame may not change its address; the route in memory is what counts.
  }
}

/** A real link, so that it can be copied or opened in another tab. */
export function Link({
  to,
  children,
  className,
  current,
  onFollow,
}: {
  to: Route;
  children: ReactNode;
  className?: string;
  current?: boolean;
  onFollow?: () => void;
}) {
  const router = useRouter();
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onFollow?.();
    router.navigate(to);
  };
  return (
    <a
      href={hashOf(to)}
      className={className}
      onClick={follow}
      aria-current={current ? "page" : undefined}
    >
      {children}
    </a>
  );
}
