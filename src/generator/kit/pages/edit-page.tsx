import { useState } from "react";
import type { OperationInput, Row } from "../api/backend.ts";
import { titleOf } from "../api/record.ts";
import type { Operation, Resource } from "../descriptor.ts";
import { knownParameters } from "../ui/action-dialog.tsx";
import { OperationForm } from "../ui/inputs/operation-form.tsx";
import { editLabel } from "../ui/operation-labels.ts";
import { PageHeader } from "../ui/page-header.tsx";
import type { Route, RouteQuery } from "../ui/route.ts";
import { useRouter } from "../ui/router.tsx";
import { knownScopes, scopeOf } from "../ui/scope.ts";
import { Failure, SkeletonLines } from "../ui/states.tsx";
import { useNotify } from "../ui/toasts.tsx";
import { useIsHere } from "../ui/use-is-here.ts";
import { useRecord } from "../ui/use-record.ts";
import { useWorkspace } from "../ui/workspace.tsx";
import { collectionCrumbs } from "./record-page.tsx";
import { UnknownPage } from "./unknown-page.tsx";

export interface EditPageProps {
  resource: Resource;
  recordKey: string | undefined;
  query: RouteQuery;
}

export function EditPage(props: EditPageProps) {
  const { update } = props.resource;
  return update ? <EditForm {...props} update={update} /> : <UnknownPage />;
}

function EditForm({ resource, recordKey, query, update }: EditPageProps & { update: Operation }) {
  const router = useRouter();
  const { backend, memory, connection } = useWorkspace();
  const notify = useNotify();
  const isHere = useIsHere();
  const scope = scopeOf(resource, query);
  // What was seen in a list may lack fields that the form would then empty.
  const { value, error, loading, reload } = useRecord(resource, scope, recordKey);
  const record: Route = { page: "record", resource: resource.id, key: recordKey, query: scope };
  const scopes = knownScopes(resource, scope, connection.mode);
  // It stays what it was when a person signs in anew, with all that was entered.
  const [edited, setEdited] = useState<Row>();
  if (!edited && !error && !loading && value) setEdited(value);
  const title = value ? titleOf(resource, value) : resource.name;
  const save = async (input: OperationInput) => {
    const row = await backend.update(resource, scope, recordKey, input);
    if (row) memory.remember(resource, scope, [row]);
    else if (recordKey !== undefined) memory.forget(resource, scope, recordKey);
    notify(`Saved ${title}.`);
    if (isHere()) router.navigate(record, { leaveForm: true });
  };
  const crumbs = [...collectionCrumbs(resource, recordKey, scope), { label: title, to: record }];
  return (
    <>
      <PageHeader title={`${editLabel(resource)} ${title}`} crumbs={crumbs} />
      {!edited && error && <Failure error={error} onRetry={reload} />}
      {!edited && !error && <SkeletonLines />}
      {edited && (
        <OperationForm
          operation={update}
          known={knownParameters({ operation: update }, resource, scopes, recordKey)}
          record={edited}
          submitLabel="Save changes"
          onSubmit={save}
          onCancel={() => router.navigate(record)}
        />
      )}
    </>
  );
}
