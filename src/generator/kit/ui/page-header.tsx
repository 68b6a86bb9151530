import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "./icon.tsx";
import { hashOf, type Route } from "./route.ts";
import { Link, useRouter } from "./router.tsx";
import { useWorkspace } from "./workspace.tsx";

export interface Crumb {
  label: string;
  to: Route;
}

/** The heading of a page. It takes the focus when the page was navigated to. */
export function PageHeader({
  title,
  crumbs = [],
  description,
  badge,
  actions,
}: {
  title: string;
  crumbs?: Crumb[];
  description?: string;
  badge?: ReactNode;
  actions?: ReactNode;
}) {
  const apiTitle = useWorkspace().descriptor.api.title;
  const { visits } = useRouter();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === apiTitle ? title : `${title} · ${apiTitle}`;
  }, [title, apiTitle]);
  useEffect(() => {
    if (visits > 0) heading.current?.focus({ preventScroll: true });
  }, [visits]);
  return (
    <header className="page-header">
      {crumbs.length > 0 && <Breadcrumbs crumbs={crumbs} />}
      <div className="page-title-row">
        <div className="page-heading">
          <div className="page-name">
            <h1 ref={heading} tabIndex={-1} className="page-title">
              {title}
            </h1>
            {badge}
          </div>
          {description && <p className="page-description">{description}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
    </header>
  );
}

/** For when what had the focus is gone, though the page is the same. */
export function focusPageHeading() {
  document.querySelector<HTMLElement>("main h1")?.focus();
}

function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="crumbs">
      <ol>
        {crumbs.map((crumb, index) => (
          <li key={hashOf(crumb.to)}>
            {index > 0 && <Icon name="chevronEnd" size={12} />}
            <Link to={crumb.to}>{crumb.label}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
