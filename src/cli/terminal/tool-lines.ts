import type { EventOf } from "../../core/events.ts";
import { bounded, diffLines, diffStat } from "./diff-lines.ts";
import { OutputTail } from "./output-tail.ts";
import type { Place } from "./screen.ts";
import { cut, rowsOf, widthOf, withoutTabs, wordRows } from "./text-width.ts";
import { argsPreview, count, duration, oneLine, resultPreview } from "./wording.ts";

/** Of a long output a terminal shows so many lines; all of it is in the log. */
const TAIL_LINES = 6;
/** A line of output that is very long is shown in at most so many rows. */
const ROWS_OF_LINE = 3;
const DIFF_ROWS = 20;
const MARGIN = "  │ ";
/** Tools whose title says what they are about; their arguments and their diff are whole documents. */
const OF_DOCUMENTS = /^spec_/;

interface OpenCall {
  name: string;
  tool: string;
  tail: OutputTail;
  /** It has said something: an agent gives that as the text of its result again. */
  hasSpoken: boolean;
  /** It was asked about, and what was answered is told there; its diff was seen then, if the question had it. */
  asked?: { withDiff: boolean };
}

/** Tool calls: a line when one begins, its output while it works, a line when it ends. */
export class ToolLines {
  readonly #place: Place;
  readonly #open = new Map<string, OpenCall>();
  /** The call that was drawn last: what belongs to another one says so. */
  #latest: string | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  requested({ callId, tool, title, args }: EventOf<"tool.requested">): string[] {
    const { paint, width } = this.#place;
    const name = oneLine(title || tool);
    this.#open.set(callId, { name, tool, tail: new OutputTail(TAIL_LINES), hasSpoken: false });
    this.#latest = callId;
    const head = cut(`● ${name}`, width);
    const isTold = title !== undefined && OF_DOCUMENTS.test(tool);
    const about = isTold ? "" : argsPreview(args, title ? name : undefined);
    const preview = oneLine(title ? `${tool} ${about}` : about);
    const rest = cut(preview, width - widthOf(head) - 2);
    return [paint.cyan(head.slice(0, 1)) + paint.bold(head.slice(1)) + (rest && paint.dim(`  ${rest}`))];
  }

  output({ callId, text }: EventOf<"tool.output">): string[] {
    const call = this.#open.get(callId);
    const lines = call?.tail.push(text) ?? [];
    if (call) call.hasSpoken = true;
    return this.#place.live || !call ? [] : [...this.#comeBackTo(callId, call), ...lines.map(this.#whole)];
  }

  asked(callId: string | undefined, withDiff: boolean): void {
    const call = this.#open.get(callId ?? "");
    if (call) call.asked = { withDiff: withDiff || call.asked?.withDiff === true };
  }

  finished({ callId, result, error, durationMs, diff }: EventOf<"tool.finished">): string[] {
    const call: OpenCall = this.#open.get(callId) ?? { name: "", tool: "", tail: new OutputTail(0), hasSpoken: false };
    this.#open.delete(callId);
    const { live } = this.#place;
    const ended = call.tail.end();
    const output = live ? this.#tail(call.tail) : ended.map(this.#whole);
    const shownDiff = diff && !call.asked?.withDiff ? this.#diff(diff, call) : [];
    const isTold = call.asked !== undefined && error?.code === "denied";
    const given = call.hasSpoken && isObject(result) ? { ...result, text: undefined } : result;
    const lines = [...output, ...shownDiff, ...(isTold ? [] : this.#ending(call.name, error, given, durationMs))];
    return lines.length === 0 ? [] : [...this.#comeBackTo(callId, call), ...lines];
  }

  /** The run is over: what is still open will not end. */
  giveUp(): string[] {
    const { paint, live } = this.#place;
    const lines = [...this.#open].flatMap(([callId, call]) => {
      const rest = call.tail.end();
      const output = live ? this.#tail(call.tail) : rest.map(this.#whole);
      return [...this.#comeBackTo(callId, call), ...output, paint.red("  ✗ not finished")];
    });
    this.#open.clear();
    this.#latest = undefined;
    return lines;
  }

  /** Output as it comes, below all that stays. */
  below(): string[] {
    const { paint } = this.#place;
    return [...this.#open.values()].flatMap(({ name, tail }) => {
      const lines = tail.lines;
      const head = this.#open.size > 1 && lines.length > 0 ? [paint.dim(`  ${name}:`)] : [];
      return [...head, ...lines.map((line) => paint.dim(MARGIN + withoutTabs(line)))];
    });
  }

  #comeBackTo(callId: string, { name }: OpenCall): string[] {
    if (this.#latest === callId) return [];
    this.#latest = callId;
    return name === "" ? [] : [this.#place.paint.dim(`● ${name} (goes on)`)];
  }

  #tail(tail: OutputTail): string[] {
    const { paint, width } = this.#place;
    const room = width - MARGIN.length;
    const before = tail.before > 0 ? [paint.dim(`${MARGIN}… ${count(tail.before, "line")} before`)] : [];
    const rows = tail.lines.flatMap((line) => rowsOf(cut(withoutTabs(line), ROWS_OF_LINE * room), room));
    return [...before, ...rows.map((row) => paint.dim(MARGIN + row))];
  }

  #whole = (line: string) => this.#place.paint.dim(MARGIN + line);

  #diff(diff: string, { tool }: OpenCall): string[] {
    const { paint, width, live } = this.#place;
    if (OF_DOCUMENTS.test(tool)) return [paint.dim(MARGIN + diffStat(diff))];
    const lines = diffLines(diff, paint, width - MARGIN.length).map((line) => paint.dim(MARGIN) + line);
    return bounded(lines, live ? DIFF_ROWS : Number.POSITIVE_INFINITY, (missing) =>
      paint.dim(`${MARGIN}… ${count(missing, "more line")}`),
    );
  }

  #ending(name: string, error: { message: string } | undefined, result: unknown, ms: number): string[] {
    const { paint, width } = this.#place;
    const time = ` · ${duration(ms)}`;
    if (error) {
      const rows = wordRows(`  ✗ ${oneLine(error.message)}`, width - time.length).map(paint.red);
      return [...rows.slice(0, -1), `${rows.at(-1)}${paint.dim(time)}`];
    }
    const line = cut(`  ${resultPreview(result, name) || "done"}`, width - time.length - 2);
    const sign = hasFailed(result) ? paint.red("✗") : paint.green("✓");
    return [`  ${sign}${line.slice(1)}${paint.dim(time)}`];
  }
}

/** A command can fail though it was run. */
function hasFailed(result: unknown): boolean {
  return isObject(result) && "exitCode" in result && result.exitCode !== 0;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
