import { type KeyboardEvent, Suspense, useId, useState } from "react";
import type { Row, ScopeValues } from "../api/backend.ts";
import { fieldNamed } from "../api/record.ts";
import type { Resource } from "../descriptor.ts";
import { ButtonLink } from "./button.tsx";
import { inSentence } from "./in-sentence.ts";
import { recordRoute } from "./list/list-rows.tsx";
import { filterName, listStateOf } from "./list/list-state.ts";
import { RecordTable } from "./list/record-table.tsx";
import { listOf, useRows } from "./list/use-rows.ts";
import { createLabel } from "./operation-labels.ts";
import type { RouteQuery } from "./route.ts";
import { Link, useRouter } from "./router.tsx";
import { childQuery, missingScopes, scopeOf } from "./scope.ts";
import { Failure, SkeletonTable } from "./states.tsx";
import { useResource, useWorkspace } from "./workspace.tsx";

type ChildLink = NonNullable<Resource["children"]>[number];

/** What lies below a record or names it: the first few of each, one kind at a time. */
export function ChildRecords({
  resource,
  row,
  scope,
}: {
  resource: Resource;
  row: Row;
  scope: ScopeValues;
}) {
  const { entryOf } = useWorkspace();
  const [chosen, setChosen] = useState(0);
  const panelId = useId();
  const children = (resource.children ?? []).filter((child) => entryOf(child.resource));
  const present = children[chosen];
  if (!present) return null;
  const moveByKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (chosen + step + children.length) % children.length;
    setChosen(next);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <section className="page-section" aria-label="Related">
      <div className="tabs" role="tablist" aria-label="Related" onKeyDown={moveByKey}>
        {children.map((child, index) => (
          <button
            key={`${child.resource} ${child.param}`}
            type="button"
            role="tab"
            className="tab"
            aria-selected={index === chosen}
            aria-controls={panelId}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {child.label}
          </button>
        ))}
      </div>
      <div id={panelId} role="tabpanel" aria-label={present.label} className="tab-panel">
        <Suspense fallback={<SkeletonTable rows={3} />}>
          <ChildList
            key={`${present.resource} ${present.param}`}
            link={present}
            parent={resource}
            row={row}
            scope={scope}
          />
        </Suspense>
      </div>
    </section>
  );
}

function ChildList({
  link,
  parent,
  row,
  scope,
}: {
  link: ChildLink;
  parent: Resource;
  row: Row;
  scope: ScopeValues;
}) {
  const { connection } = useWorkspace();
  const child = useResource(link.resource);
  if (!child) return null;
  const param = link.via === "filter" ? filterName(child, link.param) : link.param;
  const query = childQuery(parent, row, scope, child, param);
  const isReady = connection.mode === "mock" || missingScopes(child, query).length === 0;
  return (
    <>
      {child.lists.length > 0 && isReady && <ChildRows child={child} query={query} />}
      <div className="tab-links">
        <Link to={{ page: "list", resource: child.id, query }}>All {inSentence(child.plural)}</Link>
        {child.create && (
          <ButtonLink to={{ page: "create", resource: child.id, query }} icon="add">
            {createLabel(child)}
          </ButtonLink>
        )}
      </div>
    </>
  );
}

const mostChildRows = 5;

function ChildRows({ child, query }: { child: Resource; query: RouteQuery }) {
  const router = useRouter();
  const state = { ...listStateOf(child, query), pageSize: mostChildRows };
  const list = listOf(child, state);
  if (!list) throw new Error(`${child.plural} have no list.`);
  const loaded = useRows(child, list, state);
  const columns = child.columns.flatMap((name) => fieldNamed(child, name) ?? []).slice(0, 5);
  if (loaded.error) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (!loaded.value) return <SkeletonTable rows={3} columns={columns.length} />;
  if (loaded.value.rows.length === 0) {
    return <p className="list-note">No {inSentence(child.plural)} yet.</p>;
  }
  return (
    <RecordTable
      resource={child}
      columns={columns.length > 0 ? columns : child.fields.slice(0, 4)}
      rows={loaded.value.rows.slice(0, mostChildRows)}
      caption={child.plural}
      routeTo={(row) => recordRoute(child, row, scopeOf(child, query))}
      onOpen={() => router.navigate({ page: "list", resource: child.id, query })}
    />
  );
}
