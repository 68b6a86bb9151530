import type { Row, ScopeValues } from "../api/backend.ts";
import { titleOf } from "../api/record.ts";
import type { Resource } from "../descriptor.ts";
import { ActionButtons } from "../ui/action-buttons.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { ChildRecords } from "../ui/child-records.tsx";
import { inSentence } from "../ui/in-sentence.ts";
import { editLabel, removeLabel } from "../ui/operation-labels.ts";
import { type Crumb, PageHeader } from "../ui/page-header.tsx";
import { type RecordCommands, useRecordCommands } from "../ui/record-commands.tsx";
import type { RouteQuery } from "../ui/route.ts";
import { useRouter } from "../ui/router.tsx";
import { scopeOf } from "../ui/scope.ts";
import { EmptyState, Failure, SkeletonLines } from "../ui/states.tsx";
import { useRecord } from "../ui/use-record.ts";
import { JsonView } from "../ui/values/json-view.tsx";
import { RecordFields } from "../ui/values/record-fields.tsx";
import { useWorkspace } from "../ui/workspace.tsx";

/** One record: what it holds, what can be done with it, and what belongs to it. */
export function RecordPage({
  resource,
  recordKey,
  query,
}: {
  resource: Resource;
  /** Undefined: the resource has one record only. */
  recordKey: string | undefined;
  query: RouteQuery;
}) {
  const router = useRouter();
  const scope = scopeOf(resource, query);
  const { value: row, error, reload } = useRecord(resource, scope, recordKey);
  const { memory } = useWorkspace();
  const commands = useRecordCommands(resource, scope, {
    changed: () => {
      if (recordKey !== undefined) memory.forget(resource, scope, recordKey);
      reload();
    },
    deleted: () =>
      router.navigate({ page: "list", resource: resource.id, query: scope }, { replace: true }),
  });
  const title = row ? titleOf(resource, row) : `${resource.name} ${recordKey ?? ""}`.trim();
  return (
    <>
      <PageHeader
        title={title}
        crumbs={collectionCrumbs(resource, recordKey, scope)}
        badge={
          recordKey !== undefined && !title.includes(recordKey) && <KeyBadge text={recordKey} />
        }
        description={recordKey === undefined ? resource.description : undefined}
        actions={
          row &&
          !error && (
            <RecordActions
              resource={resource}
              row={row}
              recordKey={recordKey}
              scope={scope}
              commands={commands}
            />
          )
        }
      />
      {error?.kind === "notFound" && recordKey !== undefined ? (
        <NoSuchRecord resource={resource} recordKey={recordKey} scope={scope} />
      ) : error ? (
        <Failure error={error} onRetry={reload} />
      ) : row ? (
        <RecordBody resource={resource} row={row} scope={scope} />
      ) : (
        <SkeletonLines />
      )}
      {commands.dialogs}
    </>
  );
}

export function collectionCrumbs(
  resource: Resource,
  recordKey: string | undefined,
  scope: ScopeValues,
): Crumb[] {
  if (recordKey === undefined) return [];
  return [{ label: resource.plural, to: { page: "list", resource: resource.id, query: scope } }];
}

function KeyBadge({ text }: { text: string }) {
  return (
    <code className="key" title={text}>
      {text}
    </code>
  );
}

function RecordBody({
  resource,
  row,
  scope,
}: {
  resource: Resource;
  row: Row;
  scope: ScopeValues;
}) {
  return (
    <>
      <div className="card">
        <RecordFields fields={resource.fields} record={row} />
      </div>
      <ChildRecords resource={resource} row={row} scope={scope} />
      <JsonView value={row} label="Raw record" />
    </>
  );
}

function NoSuchRecord({
  resource,
  recordKey,
  scope,
}: {
  resource: Resource;
  recordKey: string;
  scope: ScopeValues;
}) {
  const back = { page: "list", resource: resource.id, query: scope } as const;
  return (
    <EmptyState
      icon="search"
      title={`No such ${inSentence(resource.name)}`}
      actions={<ButtonLink to={back}>Back to {inSentence(resource.plural)}</ButtonLink>}
    >
      <p>
        There is no {inSentence(resource.name)} <code className="key">{recordKey}</code>. It may
        have been deleted.
      </p>
    </EmptyState>
  );
}

function RecordActions({
  resource,
  row,
  recordKey,
  scope,
  commands,
}: {
  resource: Resource;
  row: Row;
  recordKey: string | undefined;
  scope: ScopeValues;
  commands: RecordCommands;
}) {
  const actions = resource.actions.filter((action) => action.on === "record");
  const edit = { page: "edit", resource: resource.id, key: recordKey, query: scope } as const;
  return (
    <>
      <ActionButtons actions={actions} onRun={(action) => commands.run(action, row)} />
      {resource.remove && (
        <Button icon="trash" onClick={() => commands.remove(row)}>
          {removeLabel(resource)}
        </Button>
      )}
      {resource.update && (
        <ButtonLink to={edit} tone="primary" icon="edit">
          {editLabel(resource)}
        </ButtonLink>
      )}
    </>
  );
}
