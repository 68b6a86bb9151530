import type { Paging, Path } from "../../kit/descriptor.ts";
import type { ListShape } from "./list-shape.ts";
import { isPlainSlot, type Slot, slotName, slotsWithin } from "./slots.ts";
import type { TypeTable } from "./type-table.ts";

/** How a list is asked for its next page, in the slots that do it. */
export interface PagingPlan {
  paging?: (name: (slot: Slot) => string, at: Path) => Paging;
  /** The slots that it fills, in the order of the description. */
  slots: Slot[];
  /** What the answer has to hold for it. */
  asked: Path[];
  confidence: number;
  because: string;
}

const sizes =
  "first limit take perPage per_page pageSize page_size size count itemsPerPage maxResults max amount num".split(" ");
const offsets = "offset skip start startIndex start_index".split(" ");
const pages = "page pageNumber page_number pageNum pageIndex currentPage p".split(" ");
const cursors =
  "after cursor pageToken page_token nextToken startCursor starting_after afterCursor continuationToken".split(" ");
const groups = /^(pagination|paging|paginate|pageInput|page|options|pageOptions|pagingOptions|paginationInput)$/;
const usual = 20;
const largest = 100;

/** Arguments, with the parts of those that only say which page: `pagination: { page, pageSize }`. */
export function flattened(types: TypeTable, slots: Slot[], depth = 2): Slot[] {
  return slots.flatMap((slot) => {
    const inner = depth > 0 && groups.test(slotName(slot)) ? slotsWithin(types, slot) : [];
    return inner.length > 0 ? flattened(types, inner, depth - 1) : [slot];
  });
}

export function planPaging(types: TypeTable, slots: Slot[], shape: ListShape): PagingPlan {
  const fitting = slots.filter((slot) => isPagingSlot(types, slot));
  const named = (names: string[]) => names.flatMap((name) => fitting.find((slot) => slotName(slot) === name) ?? [])[0];
  const [cursor, offset, page] = [named(cursors), named(offsets), named(pages)];
  const size = named(sizes.filter((name) => page !== undefined || name !== "count"));
  const plan =
    relay(cursor, size, shape) ?? numbered(page, size) ?? counted(offset, size) ?? byCursor(cursor, size, shape);
  const forced = size?.required === true ? [size] : [];
  return plan ?? { slots: forced, asked: [], confidence: 0.9, because: "No argument asks for the next page." };
}

const numbers = new Set([...sizes, ...offsets, ...pages, "last"]);
const places = new Set([...cursors, "before"]);

/** Whether a slot says which page, by its name and by what it takes. */
export function isPagingSlot(types: TypeTable, slot: Slot): boolean {
  if (!isPlainSlot(types, slot)) return false;
  const type = types.leafType(slot.schema);
  if (numbers.has(slotName(slot))) return type === "integer" || type === "number" || type === undefined;
  return places.has(slotName(slot)) && type !== "boolean" && type !== "enum";
}

type Plan = PagingPlan | undefined;
const given = (...slots: (Slot | undefined)[]) => slots.filter((slot): slot is Slot => slot !== undefined);

function relay(cursor: Slot | undefined, size: Slot | undefined, shape: ListShape): Plan {
  const { pageInfo } = shape;
  if (cursor === undefined || size === undefined || pageInfo === undefined) return undefined;
  return {
    paging: (name, at) => {
      const kind = { kind: "relay" as const, param: name(cursor), sizeParam: name(size) };
      return { ...kind, size: sizeOf(size), pageInfo: [...at, ...pageInfo] };
    },
    slots: [cursor, size],
    asked: [
      [...pageInfo, "endCursor"],
      [...pageInfo, "hasNextPage"],
    ],
    confidence: 1,
    because: `It has ${slotName(cursor)}, ${slotName(size)} and pageInfo.`,
  };
}

function numbered(page: Slot | undefined, size: Slot | undefined): Plan {
  if (page === undefined) return undefined;
  return {
    paging: (name) => {
      const first = page.default === 0 || slotName(page) === "pageIndex" ? 0 : 1;
      return { kind: "page", param: name(page), ...sized(size, name), first, size: sizeOf(size) };
    },
    slots: given(page, size),
    asked: [],
    confidence: 0.9,
    because: `${slotName(page)} is the number of a page.`,
  };
}

function counted(offset: Slot | undefined, size: Slot | undefined): Plan {
  if (offset === undefined) return undefined;
  return {
    paging: (name) => ({ kind: "offset", param: name(offset), ...sized(size, name), size: sizeOf(size) }),
    slots: given(offset, size),
    asked: [],
    confidence: 0.95,
    because: `${slotName(offset)} says how many to pass over.`,
  };
}

function byCursor(cursor: Slot | undefined, size: Slot | undefined, shape: ListShape): Plan {
  const next = shape.next ?? (shape.pageInfo === undefined ? undefined : [...shape.pageInfo, "endCursor"]);
  if (cursor === undefined || next === undefined) return undefined;
  return {
    paging: (name, at) => {
      const kind = { kind: "cursor" as const, param: name(cursor), ...sized(size, name), size: sizeOf(size) };
      return { ...kind, next: [...at, ...next] };
    },
    slots: given(cursor, size),
    asked: [next],
    confidence: 0.85,
    because: `${slotName(cursor)} takes what the answer gives at ${next.join(".")}.`,
  };
}

const sized = (size: Slot | undefined, name: (slot: Slot) => string) =>
  size === undefined ? {} : { sizeParam: name(size) };

function sizeOf(size: Slot | undefined): number {
  const said = size?.default;
  return typeof said === "number" && said >= 5 && said <= largest ? said : usual;
}
