import { useEffect, useEffectEvent, useState } from "react";
import type { Filter, Json, Resource } from "../../descriptor.ts";
import { Button } from "../button.tsx";
import { Icon } from "../icon.tsx";
import { inSentence } from "../in-sentence.ts";
import { PopoverButton } from "../popover-button.tsx";
import { useDebounced } from "../use-debounced.ts";
import { FilterChip } from "./filter-chip.tsx";
import { FilterControl } from "./filter-control.tsx";
import { allFilters, filtersWith, type ListState } from "./list-state.ts";

const filtersAtOnce = 4;

/** Search, filters, and what of them is set. */
export function FilterBar({
  resource,
  state,
  searchLabel,
  onChange,
}: {
  resource: Resource;
  state: ListState;
  /** Undefined: there is nothing that could search. */
  searchLabel?: string;
  onChange: (change: Partial<ListState>) => void;
}) {
  const filters = allFilters(resource);
  const offered = filters.filter((filter) => !filter.hidden || isNeeded(resource, filter));
  const set = filters.filter(({ param }) => Object.hasOwn(state.filters, param));
  const change = (param: string, value: Json | undefined) => {
    const { [param]: _, ...others } = state.filters;
    onChange({
      filters: value === undefined ? others : filtersWith(resource, others, param, value),
    });
  };
  if (offered.length === 0 && set.length === 0 && !searchLabel) return null;
  const controls = (some: Filter[]) =>
    some.map((filter) => (
      <FilterControl
        key={filter.param}
        filter={filter}
        value={Object.hasOwn(state.filters, filter.param) ? state.filters[filter.param] : undefined}
        onChange={(value) => change(filter.param, value)}
      />
    ));
  return (
    <search className="filters" aria-label={`Filter ${inSentence(resource.plural)}`}>
      <div className="filters-row">
        {searchLabel && (
          <SearchInput
            label={searchLabel}
            value={state.search}
            onChange={(search) => onChange({ search })}
          />
        )}
        {controls(offered.slice(0, filtersAtOnce))}
        {offered.length > filtersAtOnce && (
          <PopoverButton label="More filters" icon="filter">
            <div className="filters-more">{controls(offered.slice(filtersAtOnce))}</div>
          </PopoverButton>
        )}
      </div>
      {set.length > 0 && (
        <div className="chips">
          {set.map(({ param, field }) => (
            <FilterChip
              key={param}
              field={field}
              value={state.filters[param]}
              onRemove={() => change(param, undefined)}
            />
          ))}
          <Button tone="quiet" size="small" onClick={() => onChange({ filters: {} })}>
            Clear all
          </Button>
        </div>
      )}
    </search>
  );
}

/** Without it there would be no list. */
function isNeeded({ lists }: Resource, { param }: Filter): boolean {
  return lists[0]?.params.some(({ name, required }) => required && name === param) ?? false;
}

function SearchInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [text, setText] = useSettledText(value, onChange);
  return (
    <div className="search">
      <Icon name="search" />
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={`${label}…`}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}

/**
 * What is typed is shown at once and told after a moment; what comes from outside wins. `meaning`
 * is the text of the value that a text stands for: "1." is not to become "1" while one types.
 */
export function useSettledText(
  value: string,
  onSettle: (value: string) => void,
  meaning: (text: string) => string = (text) => text,
): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (meaning(text) !== value) setText(value);
  }
  const settled = useDebounced(text, 300);
  const tell = useEffectEvent((next: string) => {
    if (next === text && meaning(next) !== value) onSettle(next);
  });
  useEffect(() => tell(settled), [settled]);
  return [text, setText];
}
