import { element } from "./element.js";
import { plainText } from "./plain-text.js";

const fence = /^ {0,3}(`{3,}|~{3,})[^`]*$/;
const item = /^[ \t]*(?:[-*+]|(\d{1,9})[.)])[ \t]+(\S.*)$/s;
/** Code ends with as many backticks as it began with, and soon: a search for the end must not go through all of the text. */
const code = /(?<!`)(?<ticks>`{1,3})(?!`)(?<code>[^\n]{1,1000}?)(?<!`)\k<ticks>(?!`)/;
const bold = /\*\*(?=\S)(?<bold>[^*\n]+)(?<=\S)\*\*/;
const inline = new RegExp(`${code.source}|${bold.source}`, "g");

/**
 * Paragraphs, lists, fenced and quoted code, and what is bold, as elements. All else stays the text that it is: there are no links, no
 * images and no HTML here.
 */
export function markdown(text) {
  const lines = plainText(text).split("\n");
  const blocks = [];
  for (let at = 0; at < lines.length; ) {
    const { block, next } = codeAt(lines, at) ?? listAt(lines, at) ?? paragraphAt(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

function codeAt(lines, at) {
  const [, opening] = fence.exec(lines[at]) ?? [];
  if (opening === undefined) return undefined;
  const isEnd = (line) => line.trim().startsWith(opening) && line.trim().replaceAll(opening[0], "") === "";
  const found = lines.findIndex((line, other) => other > at && isEnd(line));
  const end = found === -1 ? lines.length : found; // the rest may be in the next message
  return { block: element("pre", {}, element("code", {}, lines.slice(at + 1, end).join("\n"))), next: end + 1 };
}

function listAt(lines, at) {
  const first = item.exec(lines[at]);
  if (!first) return undefined;
  const number = first[1];
  const items = [];
  let next = at;
  for (; next < lines.length; next++) {
    const found = item.exec(lines[next]);
    if (found ? (found[1] === undefined) !== (number === undefined) : !isGoingOn(lines[next])) break;
    if (found) items.push(found[2]);
    else items.push(`${items.pop()}\n${lines[next].trim()}`);
  }
  const tag = number === undefined ? "ul" : "ol";
  const shown = items.map((content) => element("li", {}, ...marked(content)));
  return { block: element(tag, { start: number !== "1" && number }, ...shown), next };
}

/** A line that is neither a new item nor the end of the one before it. */
const isGoingOn = (line) => /^[ \t]+\S/.test(line) && !fence.test(line);

function paragraphAt(lines, at) {
  const isEnd = (line) => line.trim() === "" || fence.test(line) || item.test(line);
  let next = at + 1;
  if (lines[at].trim() === "") return { next };
  while (next < lines.length && !isEnd(lines[next])) next++;
  return { block: element("p", {}, ...marked(lines.slice(at, next).join("\n"))), next };
}

/** The spaces that keep backticks within from those around it. */
const spaceless = (code) => (/^ .*\S.* $/.test(code) ? code.slice(1, -1) : code);

function marked(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(inline)) {
    const { code, bold } = found.groups;
    parts.push(
      text.slice(from, found.index),
      code ? element("code", {}, spaceless(code)) : element("strong", {}, bold),
    );
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}
