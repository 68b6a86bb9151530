import { Suspense } from "react";
import type { ListOperation, Resource, ResourceEntry } from "../descriptor.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Icon } from "./icon.tsx";
import { inSentence } from "./in-sentence.ts";
import { missingFilters } from "./list/required-filters.ts";
import { Link } from "./router.tsx";
import { missingScopes } from "./scope.ts";
import { useLoad } from "./use-load.ts";
import { useResource, useWorkspace } from "./workspace.tsx";

/** A resource on the overview. The whole card leads to it. */
export function ResourceCard({ entry, counted }: { entry: ResourceEntry; counted: boolean }) {
  return (
    <Link to={{ page: "list", resource: entry.id, query: {} }} className="card resource-card">
      <span className="resource-name">
        {entry.plural}
        <Icon name="chevronEnd" size={14} />
      </span>
      <ErrorBoundary fallback={<span className="resource-text">Not available</span>}>
        <Suspense fallback={<span className="resource-text">…</span>}>
          <ResourceText entry={entry} counted={counted} />
        </Suspense>
      </ErrorBoundary>
    </Link>
  );
}

function ResourceText({ entry, counted }: { entry: ResourceEntry; counted: boolean }) {
  const resource = useResource(entry.id);
  const { connection } = useWorkspace();
  if (!resource) return null;
  const [list] = resource.lists;
  const canCount = list && (connection.mode === "mock" || needsNothing(resource, list));
  return (
    <>
      <span className="resource-text">{resource.description ?? offerText(resource)}</span>
      <span className="resource-foot">
        {counted && canCount ? <RecordCount resource={resource} list={list} /> : entry.group}
      </span>
    </>
  );
}

/** How many there are, if the API tells; what fails here is told on the page of the resource. */
function RecordCount({ resource, list }: { resource: Resource; list: ListOperation }) {
  const { backend } = useWorkspace();
  const { value, error } = useLoad(resource.id, (signal) => {
    const pageSize = list.paging?.size ?? 20;
    return backend.list(resource, {}, { filters: {}, page: 0, pageSize }, signal);
  });
  if (error) return <>Not available</>;
  if (!value) return <span className="resource-count-loading">Counting…</span>;
  const count = value.total ?? value.rows.length;
  const isMore = value.total === undefined && value.hasNext;
  const number = new Intl.NumberFormat().format(count);
  return (
    <>
      <strong className="resource-count">
        {number}
        {isMore && "+"}
      </strong>{" "}
      {count === 1 && !isMore ? inSentence(resource.name) : inSentence(resource.plural)}
    </>
  );
}

function needsNothing(resource: Resource, list: ListOperation): boolean {
  const state = { scope: {}, filters: {}, search: "", page: 0 };
  return missingScopes(resource, {}).length === 0 && missingFilters(list, state).length === 0;
}

/** What one can do with it, where the description does not say what it is. */
export function offerText(resource: Resource): string {
  const plural = inSentence(resource.plural);
  const verbs = [
    resource.lists.length > 0 ? "browse" : resource.detail && "look up",
    resource.create && "create",
    resource.update && "edit",
    resource.remove && "delete",
  ].filter((verb) => typeof verb === "string");
  const last = verbs.pop() ?? "work with";
  const text = verbs.length > 0 ? `${verbs.join(", ")} and ${last}` : last;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} ${plural}.`;
}
