import { Suspense } from "react";
import type { Resource } from "../descriptor.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { hashOf, type Route } from "../ui/route.ts";
import { useRouter } from "../ui/router.tsx";
import { SkeletonLines } from "../ui/states.tsx";
import { useResource, useWorkspace } from "../ui/workspace.tsx";
import { CreatePage } from "./create-page.tsx";
import { EditPage } from "./edit-page.tsx";
import { HomePage } from "./home-page.tsx";
import { ListPage } from "./list-page.tsx";
import { LookupPage } from "./lookup-page.tsx";
import { OperationsPage } from "./operations-page.tsx";
import { RecordPage } from "./record-page.tsx";
import { UnknownPage } from "./unknown-page.tsx";

type ResourceRoute = Extract<Route, { resource: string }>;

/**
 * The page that the address names. A new page, or another API, starts afresh. Other credentials for
 * the same one do not, nor does a new record: what was entered is kept.
 */
export function CurrentPage() {
  const { route } = useRouter();
  const { mode, server } = useWorkspace().connection;
  // Of a list the query is what is looked for in it; of a record it is which one is meant.
  const isOne = route.page === "record" || route.page === "edit";
  const page = hashOf("query" in route && !isOne ? { ...route, query: {} } : route);
  const api = route.page === "create" ? "" : `${mode} ${server}`;
  return (
    <ErrorBoundary key={`${api} ${page}`}>
      <Suspense fallback={<SkeletonLines />}>
        <PageOf route={route} />
      </Suspense>
    </ErrorBoundary>
  );
}

function PageOf({ route }: { route: Route }) {
  if (route.page === "home") return <HomePage />;
  if (route.page === "operations") return <OperationsPage />;
  if (route.page === "unknown") return <UnknownPage />;
  return <ResourcePage route={route} />;
}

function ResourcePage({ route }: { route: ResourceRoute }) {
  const resource = useResource(route.resource);
  if (!resource) return <UnknownPage />;
  const { query } = route;
  switch (route.page) {
    case "list":
      return <CollectionPage resource={resource} route={route} />;
    case "create":
      return resource.create ? <CreatePage resource={resource} query={query} /> : <UnknownPage />;
    case "edit":
      return resource.update ? (
        <EditPage resource={resource} recordKey={route.key} query={query} />
      ) : (
        <UnknownPage />
      );
    default:
      return <RecordPage resource={resource} recordKey={route.key} query={query} />;
  }
}

/** A resource as a whole, by what the API offers: a list, one record only, or single ones by key. */
function CollectionPage({ resource, route }: { resource: Resource; route: ResourceRoute }) {
  const { query } = route;
  if (resource.lists.length > 0) return <ListPage resource={resource} query={query} />;
  if (!resource.key && resource.detail) {
    return <RecordPage resource={resource} recordKey={undefined} query={query} />;
  }
  return <LookupPage resource={resource} query={query} />;
}
