import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import type { Resource } from "../../descriptor.ts";
import { IconButton } from "../button.tsx";
import { useClickOutside, usePlaceBelow } from "../floating.ts";
import { inSentence } from "../in-sentence.ts";
import {
  matchingOptions,
  type RecordOption,
  useRecordOptions,
  useRecordTitle,
} from "../record-options.ts";
import { useRouter } from "../router.tsx";
import { useDebounced } from "../use-debounced.ts";

/** An input that finds a record by its title and gives its key. */
export function RecordPicker({
  related,
  value: key,
  onChange,
  attributes,
  withKey = true,
}: {
  related: Resource;
  value: string;
  onChange: (key: string) => void;
  attributes: InputHTMLAttributes<HTMLInputElement>;
  /** There is room to say the key beside the title. */
  withKey?: boolean;
}) {
  const listId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const title = useRecordTitle(related, key);
  const picker = usePicker(related, onChange);
  const isTitled = key !== "" && title !== undefined && title !== "" && title !== key;
  const chosen = isTitled ? (withKey ? `${title} (${key})` : title) : key;
  useClickOutside([frame], picker.close);
  const active = picker.isOpen && picker.options[picker.active];
  const clear = () => {
    onChange("");
    input.current?.focus(); // the button leaves with the value
  };
  return (
    <div className="picker" ref={frame}>
      <input
        placeholder={`Find ${inSentence(related.plural)}…`}
        {...attributes}
        ref={input}
        type="text"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={picker.isOpen}
        aria-controls={picker.isOpen ? listId : undefined}
        aria-activedescendant={active ? `${listId}-${picker.active}` : undefined}
        value={picker.search ?? chosen}
        onClick={picker.open}
        onChange={(event) => picker.find(event.target.value)}
        onKeyDown={picker.handleKey}
        onBlur={(event) => {
          attributes.onBlur?.(event);
          picker.close();
        }}
      />
      {key && <IconButton icon="close" label="Clear" onClick={clear} />}
      {picker.isOpen && (
        <PickerList
          id={listId}
          anchor={frame}
          label={related.plural}
          options={picker.options}
          loading={picker.loading}
          active={picker.active}
          onChoose={picker.choose}
        />
      )}
    </div>
  );
}

/** A list of records that is open while there is a search in it, which may be empty. */
function usePicker(related: Resource, onPick: (key: string) => void) {
  const { route } = useRouter();
  const [search, setSearch] = useState<string>();
  const [active, setActive] = useState(0);
  const query = "query" in route ? route.query : {};
  const settled = useDebounced(search);
  const found = useRecordOptions(related, query, settled);
  const isSought = related.lists[0]?.search !== undefined && settled !== search;
  const loading = found.loading || isSought;
  const [isWaiting, setWaiting] = useState(false);
  const options = matchingOptions(found.options, search ?? "");
  const isOpen = search !== undefined;
  const close = () => {
    setSearch(undefined);
    setWaiting(false);
  };
  const open = () => setSearch(search ?? "");
  const choose = (option: RecordOption | undefined) => {
    if (option) onPick(option.key);
    close();
  };
  const find = (text: string) => {
    setSearch(text);
    setActive(0);
    setWaiting(false);
  };
  // Enter before the answer is there means what will be found, and not the words themselves.
  const chooseFound = useEffectEvent(() => choose(options[active]));
  useEffect(() => {
    if (isWaiting && !loading) chooseFound();
  }, [isWaiting, loading]);
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !isOpen) open();
    else if (step) setActive((active + step + options.length) % Math.max(1, options.length));
    else if (event.key === "Enter" && isOpen && loading) setWaiting(true);
    else if (event.key === "Enter" && isOpen) choose(options[active]);
    else if (event.key === "Escape" && isOpen) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { search, isOpen, options, loading, active, open, close, find, choose, handleKey };
}

function PickerList({
  id,
  anchor,
  label,
  options,
  loading,
  active,
  onChoose,
}: {
  id: string;
  anchor: { readonly current: HTMLElement | null };
  label: string;
  options: RecordOption[];
  loading: boolean;
  active: number;
  onChoose: (option: RecordOption) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const place = usePlaceBelow(anchor, list);
  return (
    // A press beside the options, as on the scroll bar, leaves the focus in the input.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      ref={list}
      className="picker-list"
      popover="manual"
      style={place}
      onMouseDown={(event) => event.preventDefault()}
    >
      <div id={id} role="listbox" aria-label={label}>
        {options.map((option, index) => (
          <div
            key={option.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="picker-option"
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: "nearest" });
            }}
            onMouseDown={() => onChoose(option)}
          >
            <span>{option.title}</span>
            <span className="picker-key">{option.key}</span>
          </div>
        ))}
      </div>
      {options.length === 0 && (
        <p className="picker-empty">{loading ? "Loading…" : "Nothing found."}</p>
      )}
    </div>
  );
}
