import type { Choice } from "./choice-list.ts";
import type { Paint } from "./paint.ts";
import { widthOf, wordRows } from "./text-width.ts";
import { oneLine } from "./wording.ts";

export interface ChoicePlace {
  readonly paint: Paint;
  /** Columns of a row. */
  readonly width: number;
}

const FEWEST_COLUMNS = 10;
const GAP = "  ";

/** A choice, whole: its words go on below their beginning, and what is said about it comes after them, on the same row if it fits. */
export function choiceRows(sign: string, choice: Choice, { paint, width }: ChoicePlace, isBold = false): string[] {
  const margin = " ".repeat(widthOf(sign));
  const room = Math.max(FEWEST_COLUMNS, width - margin.length);
  const words = wordRows(oneLine(choice.label), room);
  const detail = oneLine(choice.detail ?? "");
  const isBeside = detail !== "" && widthOf(`${words.at(-1)}${GAP}${detail}`) <= room;
  const rows = words.map((row, index) => {
    const painted = (index === 0 ? sign : margin) + row;
    const beside = isBeside && index === words.length - 1 ? paint.dim(GAP + detail) : "";
    return (isBold ? paint.bold(painted) : painted) + beside;
  });
  const below = detail === "" || isBeside ? [] : wordRows(detail, room).map((row) => paint.dim(margin + row));
  return [...rows, ...below];
}
