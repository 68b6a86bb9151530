import { Suspense } from "react";
import { formatValue } from "../../api/format.ts";
import { isJsonObject } from "../../api/json.ts";
import { relatedKey, titleOf, titleText } from "../../api/record.ts";
import type { Field, Json, Resource } from "../../descriptor.ts";
import { useRecordTitle } from "../record-options.ts";
import { Link, useRouter } from "../router.tsx";
import { scopeOf } from "../scope.ts";
import { useResource, useWorkspace } from "../workspace.tsx";
import { PlainText } from "./plain-text.tsx";

/** A value that names another record, as a link to it; or as it is, if there is none. */
export function RelationLink({
  field,
  value,
  resolve = false,
}: {
  field: Field;
  value: Json;
  /** Ask the API what the record is called. */
  resolve?: boolean;
}) {
  const text = formatValue(field, value);
  return (
    <Suspense fallback={text}>
      <RelatedRecord field={field} value={value} text={text} resolve={resolve} />
    </Suspense>
  );
}

function RelatedRecord({
  field,
  value,
  text,
  resolve,
}: {
  field: Field;
  value: Json;
  text: string;
  resolve: boolean;
}) {
  const { entryOf, memory } = useWorkspace();
  const { route } = useRouter();
  const id = field.relation?.resource;
  const related = useResource(id !== undefined && entryOf(id) ? id : undefined);
  const key = related && relatedKey(related, value);
  if (!related || key === undefined || !canBeOpened(related)) return <>{text}</>;
  const query = "query" in route ? scopeOf(related, route.query) : {};
  const known = memory.recall(related, query, key);
  const title = isJsonObject(value) ? titleText(value) : known && titleOf(related, known);
  return (
    <Link to={{ page: "record", resource: related.id, key, query }}>
      {resolve && title === undefined ? (
        <ResolvedTitle related={related} recordKey={key} />
      ) : (
        <PlainText text={title || text} />
      )}
    </Link>
  );
}

/** What a record is called, or its key for as long as that is not known. */
export function ResolvedTitle({ related, recordKey }: { related: Resource; recordKey: string }) {
  return <PlainText text={useRecordTitle(related, recordKey) ?? recordKey} />;
}

function canBeOpened(related: Resource): boolean {
  return related.detail !== undefined || related.lists.length > 0;
}
