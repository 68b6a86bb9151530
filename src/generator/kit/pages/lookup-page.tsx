import { useState } from "react";
import type { ScopeValues } from "../api/backend.ts";
import { fieldNamed } from "../api/record.ts";
import type { Field, Resource } from "../descriptor.ts";
import { Button } from "../ui/button.tsx";
import { CollectionActions } from "../ui/collection-actions.tsx";
import { inSentence } from "../ui/in-sentence.ts";
import { FormFields } from "../ui/inputs/form-fields.tsx";
import { useForm } from "../ui/inputs/use-form.ts";
import { recordRoute } from "../ui/list/list-rows.tsx";
import { RecordTable } from "../ui/list/record-table.tsx";
import { scopeFields } from "../ui/list/scope-bar.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { useRecordCommands } from "../ui/record-commands.tsx";
import type { RouteQuery } from "../ui/route.ts";
import { useRouter } from "../ui/router.tsx";
import { scopeOf } from "../ui/scope.ts";
import { EmptyState } from "../ui/states.tsx";
import { useWorkspace } from "../ui/workspace.tsx";

/** A resource that the API does not list: records by their key, and those of this visit. */
export function LookupPage({ resource, query }: { resource: Resource; query: RouteQuery }) {
  const [, setEdition] = useState(0);
  const again = () => setEdition((count) => count + 1);
  const scope = scopeOf(resource, query);
  const commands = useRecordCommands(resource, scope, { changed: again, deleted: again });
  return (
    <>
      <PageHeader
        title={resource.plural}
        description={resource.description}
        actions={<CollectionActions resource={resource} scope={scope} commands={commands} />}
      />
      {resource.key && resource.detail && <KeyForm resource={resource} scope={scope} />}
      <SeenRecords resource={resource} commandsOf={commands.of} />
      {commands.dialogs}
    </>
  );
}

function KeyForm({ resource, scope }: { resource: Resource; scope: ScopeValues }) {
  const router = useRouter();
  const keyName = resource.key?.param ?? "";
  const form = useForm([...scopeFields(resource), keyField(resource)], undefined, scope);
  const open = () => {
    const values = form.submit();
    if (!values) return;
    const { [keyName]: key, ...others } = values;
    const found = Object.entries(others).map(([name, value]) => [name, String(value)]);
    router.navigate({
      page: "record",
      resource: resource.id,
      key: String(key),
      query: Object.fromEntries(found),
    });
  };
  return (
    <form
      noValidate
      className="card lookup"
      aria-label={`Find a ${inSentence(resource.name)}`}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) open();
      }}
    >
      <FormFields form={form} />
      <Button tone="primary" icon="search" onClick={open}>
        Open
      </Button>
    </form>
  );
}

/** Always a text input: a key may be any text, and a long number must not be rounded. */
function keyField(resource: Resource): Field {
  const field = fieldNamed(resource, resource.key?.field);
  return {
    name: resource.key?.param ?? "",
    label: field?.label ?? "Key",
    kind: "text",
    required: true,
    example: field?.example,
  };
}

function SeenRecords({
  resource,
  commandsOf,
}: {
  resource: Resource;
  commandsOf: ReturnType<typeof useRecordCommands>["of"];
}) {
  const { memory } = useWorkspace();
  const seen = memory.seen(resource);
  const columns = resource.columns.flatMap((name) => fieldNamed(resource, name) ?? []);
  if (seen.length === 0) {
    const plural = inSentence(resource.plural);
    return (
      <EmptyState title={`No ${plural} opened yet`}>
        <p>The API cannot list {plural}. Those that you open or create appear here.</p>
      </EmptyState>
    );
  }
  return (
    <section className="page-section">
      <h2 className="section-title">During this visit</h2>
      <RecordTable
        resource={resource}
        columns={columns.length > 0 ? columns : resource.fields.slice(0, 5)}
        rows={seen.map((record) => record.row)}
        caption={`${resource.plural} of this visit`}
        routeTo={(row) => {
          const record = seen.find((one) => one.row === row);
          return recordRoute(resource, row, record?.scope ?? {});
        }}
        onOpen={() => {}}
        commandsOf={commandsOf}
      />
    </section>
  );
}
