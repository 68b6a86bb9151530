import { useState } from "react";
import { fieldNamed } from "../api/record.ts";
import type { Field, ListOperation, Resource } from "../descriptor.ts";
import { CollectionActions } from "../ui/collection-actions.tsx";
import { inSentence } from "../ui/in-sentence.ts";
import { ColumnChooser } from "../ui/list/column-chooser.tsx";
import { FilterBar } from "../ui/list/filter-bar.tsx";
import { ListRows } from "../ui/list/list-rows.tsx";
import { type ListState, listStateOf, queryOfState } from "../ui/list/list-state.ts";
import { missingFilters, withRequiredFilters } from "../ui/list/required-filters.ts";
import { withRules } from "../ui/list/row-rules.ts";
import { RuleNote } from "../ui/list/rule-note.tsx";
import { ScopeBar } from "../ui/list/scope-bar.tsx";
import { listOf } from "../ui/list/use-rows.ts";
import { focusPageHeading, PageHeader } from "../ui/page-header.tsx";
import { useRecordCommands } from "../ui/record-commands.tsx";
import type { RouteQuery } from "../ui/route.ts";
import { useRouter } from "../ui/router.tsx";
import { missingScopes } from "../ui/scope.ts";
import { EmptyState } from "../ui/states.tsx";
import { useWorkspace } from "../ui/workspace.tsx";

/** The records of a resource: filtered, sorted, page by page, as the API allows. */
export function ListPage({ resource, query }: { resource: Resource; query: RouteQuery }) {
  const router = useRouter();
  const { connection } = useWorkspace();
  const [columns, setColumns] = useColumns(resource);
  const [edition, setEdition] = useState(0);
  const [isAll, setAll] = useAllRows(resource);
  const asked = listStateOf(resource, query);
  const isLive = connection.mode === "live";
  const ruled = isAll ? { state: asked, left: [] } : withRules(resource, asked);
  const state = isLive ? withRequiredFilters(resource, ruled.state) : ruled.state;
  // What only a rule asks for is not what the person chose.
  const chosen = ruled.state === asked ? state : asked;
  const list = listOf(resource, state);
  const reload = () => setEdition((count) => count + 1);
  const commands = useRecordCommands(resource, state.scope, {
    changed: reload,
    deleted: () => {
      reload();
      focusPageHeading();
    },
  });
  const change = (part: Partial<ListState>, replace = true) =>
    router.navigate(
      {
        page: "list",
        resource: resource.id,
        query: queryOfState(resource, { ...chosen, page: 0, ...part }),
      },
      { replace },
    );
  const missing = isLive && list ? whatIsMissing(resource, list, state) : [];
  return (
    <>
      <PageHeader
        title={resource.plural}
        description={resource.description}
        actions={<CollectionActions resource={resource} scope={state.scope} commands={commands} />}
      />
      {resource.scopes && resource.scopes.length > 0 && (
        <ScopeBar
          key={JSON.stringify(state.scope)}
          resource={resource}
          scope={state.scope}
          onChange={(scope) => change({ scope }, false)}
        />
      )}
      <div className="list-tools">
        <FilterBar
          resource={resource}
          state={chosen}
          searchLabel={list && searchLabel(resource, list)}
          onChange={change}
        />
        <ColumnChooser resource={resource} columns={columns} onChange={setColumns} />
      </div>
      <RuleNote resource={resource} all={isAll} onAll={setAll} />
      {list && missing.length === 0 && (
        <ListRows
          edition={edition}
          resource={resource}
          list={list}
          state={state}
          rules={ruled.left}
          columns={columns}
          commands={commands}
          onChange={change}
        />
      )}
      {missing.length > 0 && (
        <EmptyState icon="filter" title={`Which ${inSentence(resource.plural)}?`}>
          <p>Say {missing.join(" and ")} to see them.</p>
        </EmptyState>
      )}
      {commands.dialogs}
    </>
  );
}

/** Which fields the table shows: as chosen during this visit, or as the descriptor says. */
function useColumns(resource: Resource): [Field[], (names: string[]) => void] {
  const { memory } = useWorkspace();
  const [names, setNames] = useState(() => memory.columns(resource) ?? resource.columns);
  const known = names.flatMap((name) => fieldNamed(resource, name) ?? []);
  const columns = known.length > 0 ? known : resource.fields.slice(0, 5);
  const choose = (chosen: string[]) => {
    memory.chooseColumns(resource, chosen);
    setNames(chosen);
  };
  return [columns, choose];
}

function whatIsMissing(resource: Resource, list: ListOperation, state: ListState): string[] {
  const scopes = missingScopes(resource, state.scope).map((scope) => scope.field.label);
  const filters = missingFilters(list, state).map((filter) => filter.field.label);
  return [...scopes, ...filters];
}

/** The API searches, or we do if all rows are here, or if that is wished for. */
function searchLabel(resource: Resource, list: ListOperation): string | undefined {
  const { on, fields = [] } = resource.search ?? {};
  if (!(on ?? (list.search !== undefined || !list.paging))) return undefined;
  const labels = fields.map((name) => inSentence(fieldNamed(resource, name)?.label ?? name));
  const where = labels.length > 0 ? ` by ${labels.join(", ")}` : "";
  return `Search ${inSentence(resource.plural)}${where}`;
}

/** Whether all rows are seen during this visit, in spite of the rules. */
function useAllRows(resource: Resource): [boolean, (all: boolean) => void] {
  const { memory } = useWorkspace();
  const [isAll, setAll] = useState(() => memory.seesAll(resource));
  const choose = (all: boolean) => {
    memory.seeAll(resource, all);
    setAll(all);
  };
  return [isAll, choose];
}
