import type { Resource } from "../../descriptor.ts";
import { Button, ButtonLink } from "../button.tsx";
import { inSentence } from "../in-sentence.ts";
import { createLabel } from "../operation-labels.ts";
import { EmptyState } from "../states.tsx";
import type { ListState } from "./list-state.ts";

interface NoRowsProps {
  resource: Resource;
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
}

/** Nothing there is something else than nothing found. */
export function NoRows(props: NoRowsProps) {
  const { resource, state } = props;
  if (Object.keys(state.filters).length > 0 || state.search !== "") return <NoMatches {...props} />;
  const plural = inSentence(resource.plural);
  const create = (
    <ButtonLink
      to={{ page: "create", resource: resource.id, query: state.scope }}
      tone="primary"
      icon="add"
    >
      {createLabel(resource)}
    </ButtonLink>
  );
  return (
    <EmptyState title={`No ${plural} yet`} actions={resource.create && create}>
      <p>
        {resource.create
          ? `The first ${inSentence(resource.name)} you create appears here.`
          : `When the API has ${plural}, they appear here.`}
      </p>
    </EmptyState>
  );
}

/** What was looked for, and how to see everything again. */
export function NoMatches({ resource, state, onChange }: NoRowsProps) {
  const plural = inSentence(resource.plural);
  const search = state.search.trim();
  const hasFilters = Object.keys(state.filters).length > 0;
  const actions = (
    <>
      {search && <Button onClick={() => onChange({ search: "" })}>Clear search</Button>}
      {hasFilters && <Button onClick={() => onChange({ filters: {} })}>Clear filters</Button>}
    </>
  );
  return (
    <div role="status">
      <EmptyState
        icon="search"
        title={search ? `No ${plural} match “${search}”` : `No ${plural} match`}
        actions={actions}
      >
        <p>{hintFor(search !== "", hasFilters)}</p>
      </EmptyState>
    </div>
  );
}

/** The list has become shorter than it was, or the address was written by hand. */
export function NoSuchPage({ onFirst }: { onFirst: () => void }) {
  return (
    <EmptyState
      title="Nothing on this page"
      actions={<Button onClick={onFirst}>Go to the first page</Button>}
    >
      <p>The list ends before it.</p>
    </EmptyState>
  );
}

function hintFor(isSearch: boolean, hasFilters: boolean): string {
  if (isSearch && hasFilters) return "Try another word, or fewer filters.";
  return isSearch ? "Try another word, or a part of it." : "Try other filters, or fewer of them.";
}
