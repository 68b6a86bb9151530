const MOST_FILES = 100;
/** As long as a path can be on most systems. */
const LONGEST_PATH = 4096;
const LONGEST_HEADER = 5 * LONGEST_PATH; // quoted, a byte takes four characters
const NOWHERE = "/dev/null";
const pathArguments = ["path", "file_path", "filePath", "file"] as const;

/** The files that a call has changed, as its diff names them, or else the one that its arguments named. */
export function touchedFiles(diff: string | undefined, named: string | undefined): string[] | undefined {
  const files = diff === undefined ? [] : filesIn(diff);
  if (files.length > 0) return files;
  return named === undefined ? undefined : [named];
}

/** The file that the arguments of a call name. */
export function namedFile(args: unknown): string | undefined {
  if (typeof args !== "object" || args === null) return undefined;
  const given = args as Record<string, unknown>;
  return pathArguments.map((name) => given[name]).find(isPath);
}

function isPath(path: unknown): path is string {
  return typeof path === "string" && path !== "" && path.length <= LONGEST_PATH;
}

function filesIn(diff: string): string[] {
  const files = new Set<string>();
  const add = (path: string | undefined) => path !== NOWHERE && isPath(path) && files.add(path);
  const hunk = new Hunk();
  let before: string | undefined;
  for (const line of linesOf(diff)) {
    if (hunk.takes(line)) continue;
    if (line.startsWith("+++ ") && before !== undefined) for (const path of namesIn(before, line)) add(path);
    else if (/^rename (from|to) /.test(line)) add(nameIn(line.replace(/^rename (from|to) /, "")));
    before = line.startsWith("--- ") ? line : undefined;
    if (files.size >= MOST_FILES) break;
  }
  return [...files].slice(0, MOST_FILES);
}

/** Its lines. A last one that has no end is none: a long diff is cut somewhere. */
function* linesOf(text: string): Generator<string> {
  let from = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
    yield text.slice(from, text[end - 1] === "\r" ? end - 1 : end);
    from = end + 1;
  }
}

/** Knows how many lines of a hunk are still to come. Within it, a line that was taken away may look like a header. */
class Hunk {
  #removed = 0;
  #added = 0;

  takes(line: string): boolean {
    if (line.startsWith("@@")) {
      const [, removed = 1, added = 1] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? ENDLESS;
      this.#removed = Number(removed);
      this.#added = Number(added);
      return true;
    }
    if (this.#removed <= 0 && this.#added <= 0) return false;
    const sign = line[0] ?? " "; // an empty line may have lost its space
    if (!" +-\\".includes(sign)) {
      this.#removed = this.#added = 0;
      return false;
    }
    if (sign === "-" || sign === " ") this.#removed--;
    if (sign === "+" || sign === " ") this.#added--;
    return true;
  }
}

/** Of a hunk that does not say how long it is: it ends where no line of one can stand. */
const ENDLESS = ["", Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];

/** The names in the two lines of a header; `a/` and `b/` are no folders where both are there. */
function namesIn(minus: string, plus: string): string[] {
  const [old, fresh] = [nameIn(minus.slice(4)), nameIn(plus.slice(4))];
  const marked = (old === NOWHERE || old.startsWith("a/")) && (fresh === NOWHERE || fresh.startsWith("b/"));
  return [old, fresh].map((name) => (marked && name !== NOWHERE ? name.slice(2) : name));
}

/** Behind a tab there may be the time. */
function nameIn(header: string): string {
  if (header.length > LONGEST_HEADER) return "";
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(header)?.[1];
  return quoted === undefined ? (header.split("\t", 1)[0] ?? "") : unquoted(quoted);
}

const escapes: Record<string, string> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** As git quotes a path: escapes as in C, and the bytes of what is not ASCII in octal. */
function unquoted(quoted: string): string {
  const bytes = quoted.replace(/\\([0-7]{3}|.)|[^\\]+/gs, (all, escaped: string | undefined) => {
    if (escaped === undefined) return Buffer.from(all).toString("latin1");
    if (escaped.length === 3) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    return escapes[escaped] ?? escaped;
  });
  return Buffer.from(bytes, "latin1").toString();
}
