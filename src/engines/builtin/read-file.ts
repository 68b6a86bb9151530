import { type Action, type ActionEnd, type ActionIO, callTool, done, toolAction } from "./action.ts";
import { bulleted, code, count, fenced, languageOf } from "./answer.ts";
import { escapeGlob } from "./paths.ts";
import { globResult, type ReadResult, readResult } from "./results.ts";

/** More than this is not shown in an answer. */
const MOST_LINES = 400;
const MOST_CHARACTERS = 40_000;

interface Range {
  startLine?: number;
  maxLines?: number;
}

export function read(path: string, range: Range, last?: number): Action {
  const end = (range.startLine ?? 1) + (range.maxLines ?? 0) - 1;
  const lines =
    range.startLine === undefined ? "" : end > range.startLine ? ` lines ${range.startLine}-${end}` : ` line ${end}`;
  return {
    name: "read",
    title: `Read ${path}${last ? `, the last ${count(last, "line")}` : lines}`,
    args: { path, ...range, ...(last ? { last } : {}) },
    subject: path,
    run: (io) => (last ? readLast(io, path, last) : readOrFind(io, path, range)),
  };
}

export function countLines(path: string): Action {
  return toolAction({
    name: "read",
    title: `Count the lines of ${path}`,
    args: { path, maxLines: 1 },
    subject: path,
    result: readResult,
    answer: ({ totalLines }) => {
      const amount = totalLines === undefined ? "more lines than were counted" : count(totalLines, "line");
      return { text: `${code(path)} has ${amount}.`, summary: `${path} has ${amount}.` };
    },
  });
}

async function readLast(io: ActionIO, path: string, last: number): Promise<ActionEnd> {
  const looked = await callTool(io, "read", { path, maxLines: 1 }, readResult);
  if (looked.outcome !== "done") return looked;
  const startLine = Math.max(1, (looked.result.totalLines ?? 1) - last + 1);
  return readOrFind(io, path, { startLine, maxLines: last });
}

async function readOrFind(io: ActionIO, path: string, range: Range): Promise<ActionEnd> {
  const reply = await callTool(io, "read", { path, ...range }, readResult);
  if (reply.outcome === "done") return shown(reply.result);
  const elsewhere = await foundElsewhere(io, path, reply);
  if (typeof elsewhere !== "string") return elsewhere;
  const again = await callTool(io, "read", { path: elsewhere, ...range }, readResult);
  return again.outcome === "done" ? shown(again.result) : again;
}

/** A name without its folder is looked for where there is no such file at the top. Where that finds nothing, the failure stands. */
export async function foundElsewhere(io: ActionIO, path: string, failed: ActionEnd): Promise<string | ActionEnd> {
  if (failed.outcome !== "failed" || path.includes("/") || failed.code === "internal") return failed;
  const pattern = `**/${escapeGlob(path)}${path.includes(".") ? "" : "*"}`;
  const found = await callTool(io, "glob", { pattern, limit: 20 }, globResult);
  if (found.outcome !== "done") return failed;
  const [only, ...others] = found.result.files;
  if (only === undefined || only === path) return failed;
  if (others.length === 0) return only;
  const list = bulleted(found.result.files.map(code), { more: found.result.truncated });
  return done(`There are several files of that name. Which one?\n\n${list}`, `There are several files ${path}.`);
}

function shown({ path, content, startLine, totalLines, truncated }: ReadResult): ActionEnd {
  const { text, lines } = shownPart(content);
  if (lines === 0) return done(`${code(path)} is empty.`, `${path} is empty.`);
  const end = startLine + lines - 1;
  const isWhole = startLine === 1 && end === totalLines && !truncated;
  const range = isWhole ? count(lines, "line") : `lines ${startLine}-${end} of ${totalLines ?? "very many"}`;
  const isCut = lines === MOST_LINES && end < (totalLines ?? Number.POSITIVE_INFINITY);
  const more = isCut ? `\n\nFor more: ${code(`show ${path} lines ${end + 1}-${end + MOST_LINES}`)}` : "";
  return done(`${code(path)}, ${range}:\n\n${fenced(text, languageOf(path))}${more}`, `Showed ${path} (${range}).`);
}

/** No more of a text than an answer can hold. */
export function shownPart(content: string): { text: string; lines: number } {
  const lines = content === "" ? [] : content.replace(/\r?\n$/, "").split("\n");
  const kept = lines.slice(0, MOST_LINES);
  return { text: kept.join("\n").slice(0, MOST_CHARACTERS), lines: kept.length };
}
