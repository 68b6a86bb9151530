import type { OperationInput } from "../api/backend.ts";
import { bodyFields } from "../api/form-reading.ts";
import { type FormValues, formValue } from "../api/form-values.ts";
import { keyOf, titleOf } from "../api/record.ts";
import type { Resource } from "../descriptor.ts";
import { inSentence } from "../ui/in-sentence.ts";
import { OperationForm } from "../ui/inputs/operation-form.tsx";
import { allFilters, filterName } from "../ui/list/list-state.ts";
import { ScopeBar } from "../ui/list/scope-bar.tsx";
import { createLabel } from "../ui/operation-labels.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { queryValue, type Route, type RouteQuery } from "../ui/route.ts";
import { useRouter } from "../ui/router.tsx";
import { missingScopes, scopeOf } from "../ui/scope.ts";
import { useNotify } from "../ui/toasts.tsx";
import { useIsHere } from "../ui/use-is-here.ts";
import { useWorkspace } from "../ui/workspace.tsx";
import { UnknownPage } from "./unknown-page.tsx";

export function CreatePage({ resource, query }: { resource: Resource; query: RouteQuery }) {
  const router = useRouter();
  const { backend, memory, connection } = useWorkspace();
  const notify = useNotify();
  const isHere = useIsHere();
  const scope = scopeOf(resource, query);
  const list: Route = { page: "list", resource: resource.id, query: scope };
  const { create } = resource;
  if (!create) return <UnknownPage />;
  const save = async (input: OperationInput) => {
    const row = await backend.create(resource, scope, input);
    const key = row && keyOf(resource, row);
    if (row) memory.remember(resource, scope, [row]);
    notify(`Created ${row ? titleOf(resource, row) : inSentence(resource.name)}.`);
    const canOpen = key !== undefined && (resource.detail || resource.lists.length > 0);
    const next: Route = canOpen
      ? { page: "record", resource: resource.id, key, query: scope }
      : list;
    if (isHere()) router.navigate(next, { replace: true, leaveForm: true });
  };
  const lacksScope = connection.mode === "live" && missingScopes(resource, scope).length > 0;
  return (
    <>
      <PageHeader
        title={createLabel(resource)}
        crumbs={[{ label: resource.plural, to: list }]}
        description={create.summary}
      />
      {lacksScope ? (
        <ScopeBar
          resource={resource}
          scope={scope}
          onChange={(chosen) =>
            router.navigate({ page: "create", resource: resource.id, query: chosen })
          }
        />
      ) : (
        <OperationForm
          operation={create}
          known={(resource.scopes ?? []).map(({ param }) => param)}
          start={startValues(resource, query)}
          submitLabel={create.label ?? `Create ${inSentence(resource.name)}`}
          onSubmit={save}
          onCancel={() => router.navigate(list)}
        />
      )}
    </>
  );
}

/** What the address says already: a record made from a filtered list belongs into that list. */
function startValues(resource: Resource, query: RouteQuery): FormValues {
  const fields = resource.create ? bodyFields(resource.create) : [];
  const known = allFilters(resource).flatMap(({ param, of }) => {
    const text = queryValue(query, filterName(resource, param));
    const field = fields.find(({ name }) => name === (of ?? param));
    return text === undefined || !field ? [] : [[field.name, formValue(field, text)]];
  });
  return Object.fromEntries(known);
}
