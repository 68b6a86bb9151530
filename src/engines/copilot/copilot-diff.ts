import { isAbsolute, relative, sep } from "node:path";

const NO_FILE = "/dev/null";

/** The files that a diff of Copilot's is about: their whole paths, which it writes right behind an `a` or a `b`. */
export interface ChangedFile {
  /** None, where it is new. */
  from?: string;
  /** None, where it is deleted. */
  to?: string;
}

/** The first file of a diff. Of what is to be permitted there is one. */
export function changedFile(diff: string): ChangedFile | undefined {
  const [first] = sectionsOf(diff);
  return first && { from: fileIn(first.from), to: fileIn(first.to) };
}

/**
 * A diff as our own tools give it, by the paths that the user knows; nothing where nothing changes, as in that of a file which was only
 * looked at. Copilot puts lines of git's before it, with nothing in them, and empty ones behind.
 */
export function shownDiff(diff: string, workspace: string): string | undefined {
  const shown = sectionsOf(diff)
    .filter(isChange)
    .map((each) => shownSection(each, workspace));
  return shown.length === 0 ? undefined : shown.join("");
}

interface Section {
  /** As its first two lines name the file before and after. */
  from: string;
  to: string;
  lines: string[];
}

/** Copilot's own, by the zeros in place of hashes: what a command has printed may be a diff, too, and changes nothing. */
const section = /^diff --git .*\n(?:.*\n)?index 0{7}\.\.0{7}.*\n--- a(.*)\n\+\+\+ b(.*)\n([\s\S]*)$/;

/** A line of a file never looks like the first of a section: it begins with a space, a plus or a minus. */
function sectionsOf(diff: string): Section[] {
  return `\n${diff}`.split(/\n(?=diff --git )/).flatMap((text): Section[] => {
    const [, from, to, rest] = section.exec(text) ?? [];
    if (from === undefined || to === undefined || rest === undefined) return [];
    return [{ from, to, lines: rest.split("\n").filter((line) => line !== "" && !isEmptyPlace(line)) }];
  });
}

/** Says where nothing changes. */
const isEmptyPlace = (line: string) => line.startsWith("@@ -0,0 +0,0 @@");

const isChange = ({ from, to, lines }: Section) => from !== to || lines.some((line) => /^[+-]/.test(line));

const fileIn = (name: string) => (name === NO_FILE ? undefined : name);

function shownSection({ from, to, lines }: Section, workspace: string): string {
  const names = [`--- ${shownName("a", from, workspace)}`, `+++ ${shownName("b", to, workspace)}`];
  return `${[...names, ...lines].join("\n")}\n`;
}

function shownName(side: "a" | "b", name: string, workspace: string): string {
  if (name === NO_FILE) return NO_FILE;
  const inside = relative(workspace, name);
  return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)
    ? `${side}${name}`
    : `${side}/${inside}`;
}
