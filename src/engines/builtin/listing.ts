import { type Action, type Said, toolAction } from "./action.ts";
import { bulleted, bytes, code, count } from "./answer.ts";
import type { Family } from "./family.ts";
import { type FileKind, fileKinds, isFileNoun } from "./file-kinds.ts";
import { isFolderByLook, placeIn } from "./place.ts";
import { globResult, listResult } from "./results.ts";
import { ALL, FOLDER, type Found, SHOW, WHAT_IS, wording } from "./wording.ts";

const LIST = `(?:list|ls|enumerate|find|${SHOW}|${WHAT_IS}|what|which|where are|are there|is there|do (?:we|you|i) have|have we got)(?: out)?(?: (?:a|the) list (?:of|with))?`;
const COUNT = "(?:how many|count|(?:the )?number of)";
const THERE = "(?: (?:are there|do (?:we|you|i) have|exist|are|there are|there|have we got))?";

const MOST_SHOWN = 50;
const TREE_DEPTH = 3;
const DEEPEST = 20;
/** What is counted or compared is looked at as far as a tool goes. */
const MOST_LOOKED_AT = 10_000;

export const listing: Family = {
  name: "listing",
  can: "list and count files",
  examples: ["List TypeScript files", "how many test files are in src?", "show the largest files"],
  forms: [
    {
      pattern: wording`(?:${LIST} )?${ALL}(?<n>\d{1,3} )?(?:largest|biggest|longest|large|big|huge) (?<n2>\d{1,3} )?files?${THERE}(?<place> .+)?`,
      make: (found) => {
        const place = placeIn(found, "place");
        return place && largest(place.path, Number(found.text("n") || found.text("n2") || 10));
      },
    },
    {
      pattern: wording`(?:${LIST} )?${ALL}(?:${FOLDER}|file|project|source|folder structure|directory structure) ?(?:tree|structure|layout|overview)(?<place> .+)?|tree(?<place2> .+)?|(?:${LIST} )(?:the )?(?:tree|structure)(?<place3> .+)?`,
      make: (found) => {
        const place = placeIn(found, ["place", "place2", "place3"].find((name) => found.has(name)) ?? "place");
        return place && listFolder(place.path, TREE_DEPTH);
      },
    },
    {
      pattern: wording`${COUNT} ${ALL}(?<what>.+?)${THERE}(?<place> (?:in|inside|within|under|of|here|there|at) ?.*)?`,
      make: (found) => files(found, true),
    },
    {
      pattern: wording`${LIST} (?<all>all |every |any )?(?:of )?(?:the |my |our |your |this |these )?(?<what>.+?)${THERE}(?<place> (?:in|inside|within|under|of|here|there|at|from|by) ?.*)?`,
      make: (found) => files(found, false),
    },
    {
      pattern: wording`(?:the |all |any )?(?<what>(?:[\w+#.*, -]+ )?files)(?<place> (?:in|inside|within|under|of|here) ?.*)?|(?:ls|dir|(?<list>list))(?<place2> .+)?`,
      make: (found) => {
        if (found.has("what")) return terse(files(found, false));
        const place = placeIn(found, "place2");
        if (!place || (found.has("list") && !isFolderByLook(place.path))) return undefined;
        return listFolder(place.path, 1);
      },
    },
  ],
};

const terse = (action: Action | undefined) => action && { ...action, terse: true };

/** The files that are spoken of, or nothing if it is not about files. */
function files(found: Found, counting: boolean): Action | undefined {
  const place = placeIn(found, "place");
  if (!place) return undefined;
  const what = (found.literal("what")?.content ?? found.text("what")).replace(/[?.]$/, "");
  if (/^(?:folders|directories|sub-?folders|subdirectories)$/i.test(what))
    return listFolder(place.path, 1, "directory");
  const isContents = new RegExp(
    `^(?:everything|contents?|${FOLDER}|(?:${FOLDER} )?contents?|project|workspace|repo)$`,
    "i",
  );
  if (isContents.test(what)) return counting ? undefined : listFolder(place.path, 1);
  if (/^(?:source |project |code )?files(?: and (?:folders|directories))?$/i.test(what)) {
    const everything: FileKind = { title: "files", glob: "**/*" };
    return counting || found.has("all") ? listKind(everything, place.path, counting) : listFolder(place.path, 1);
  }
  const kind = kindIn(what);
  return kind && listKind(kind, place.path, counting);
}

function kindIn(what: string): FileKind | undefined {
  const [, names] = /^(.+?)(?: source| code)?(?: files?| scripts?| sources?)$/i.exec(what) ?? [];
  if (names !== undefined) return fileKinds(names.replace(/ files?(?=,| and| or)/gi, ""));
  return isFileNoun(what) || /^\S*[*?]\S*$/.test(what) ? fileKinds(what) : undefined;
}

function listKind({ title, glob }: FileKind, path: string, counting: boolean): Action {
  const where = path === "." ? "" : ` in ${path}`;
  return toolAction({
    name: "glob",
    title: `${counting ? "Count" : "List"} ${title}${where}`,
    args: { pattern: glob, ...(path === "." ? {} : { path }), ...(counting ? { limit: MOST_LOOKED_AT } : {}) },
    result: globResult,
    answer: ({ files: all, truncated }) => {
      const number = `${truncated ? "at least " : ""}${all.length}`;
      const heading = title.charAt(0).toUpperCase() + title.slice(1);
      const summary = all.length === 0 ? `There are no ${title}${where}.` : `${heading}${where}: ${number}.`;
      const text = counting ? byFolder(all) : grouped(all, truncated);
      return { text: all.length === 0 ? summary : `${summary}\n\n${text}`, summary };
    },
  });
}

const folderOf = (path: string) => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".");

function folders(paths: string[]): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const group = groups.get(folderOf(path));
    if (group) group.push(path);
    else groups.set(folderOf(path), [path]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Under their folders, where there are several with more than a file each. */
export function grouped(paths: string[], truncated: boolean): string {
  const groups = folders(paths);
  if (groups.length < 2 || paths.length < 8) return bulleted(paths.map(code), { most: MOST_SHOWN, more: truncated });
  const shown = new Set(groups.flatMap(([, files]) => files).slice(0, MOST_SHOWN));
  const blocks = groups.flatMap(([folder, files]) => {
    const visible = files.filter((file) => shown.has(file));
    const heading = `**${folder === "." ? "top level" : folder}** (${files.length})`;
    return visible.length > 0 ? [`${heading}\n${visible.map((file) => `- ${code(file)}`).join("\n")}`] : [];
  });
  const left = paths.length - shown.size;
  if (left > 0) blocks.push(`... and ${left}${truncated ? " or more" : ""} others`);
  return blocks.join("\n\n");
}

function byFolder(paths: string[]): string {
  const sizes = folders(paths).sort(([, a], [, b]) => b.length - a.length);
  return bulleted(
    sizes.map(([folder, { length }]) => `${folder === "." ? "top level" : code(folder)}: ${length}`),
    { most: 15 },
  );
}

export function listFolder(path: string, depth: number, only?: "directory"): Action {
  const where = path === "." ? "the workspace" : path;
  const action = toolAction({
    name: "list",
    title: depth > 1 ? `Show the tree of ${where}` : `List ${only ? "the folders" : "what is"} in ${where}`,
    args: { path, depth },
    result: listResult,
    answer: ({ entries, truncated }): Said => {
      const shown = entries.filter(({ type }) => only === undefined || type === only);
      const ofType = (type: string) => shown.filter((entry) => entry.type === type).length;
      const folderCount = count(ofType("directory"), "folder");
      const amount = only ? folderCount : `${folderCount} and ${count(shown.length - ofType("directory"), "file")}`;
      const summary = shown.length === 0 ? `There is nothing in ${where}.` : `In ${where} there are ${amount}.`;
      const lines = shown.map((entry) => code(entry.type === "directory" ? `${entry.path}/` : entry.path));
      const text = shown.length === 0 ? "" : `\n\n${bulleted(lines, { most: depth > 1 ? 200 : 100, more: truncated })}`;
      return { text: summary + text, summary };
    },
  });
  return action;
}

function largest(path: string, most: number): Action {
  return toolAction({
    name: "list",
    title: `Find the largest files${path === "." ? "" : ` in ${path}`}`,
    args: { path, depth: DEEPEST, limit: MOST_LOOKED_AT },
    result: listResult,
    answer: ({ entries, truncated }) => {
      const sized = entries.flatMap((entry) => (entry.bytes === undefined ? [] : [{ ...entry, bytes: entry.bytes }]));
      const top = sized.sort((a, b) => b.bytes - a.bytes).slice(0, most);
      const [first] = top;
      const summary = first ? `The largest file is ${first.path} (${bytes(first.bytes)}).` : "There are no files.";
      const items = top.map((entry) => `${code(entry.path)} ${bytes(entry.bytes)}`);
      const note = truncated ? "\n\nThere are more files than were looked at; name a folder to be exact." : "";
      return { text: first ? `${summary}\n\n${bulleted(items)}${note}` : summary, summary };
    },
  });
}
