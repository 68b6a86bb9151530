import { type Action, done, type Scene, type Unclear } from "./action.ts";
import { code, fenced, languageOf } from "./answer.ts";
import type { Family } from "./family.ts";
import { listFolder } from "./listing.ts";
import { isIt, pathIn } from "./paths.ts";
import { countLines, read, shownPart } from "./read-file.ts";
import { CALLED, FOLDER, type Found, SHOW, WHAT_IS, wording } from "./wording.ts";

const READ = `(?:read(?: me)?|cat|open|type|look at|look into|check out|dump|head|less|more|${SHOW})`;
const CONTENT = "(?:(?:the )?(?:whole |full |entire )?(?:contents?|text|source|code|source code) (?:of|in|from) )?";
const LINES = "(?:lines? (?<from>\\d{1,7})(?: ?(?:-|–|to|through|until|and|\\.\\.) ?(?<to>\\d{1,7}))?)";
const PATH = "(?<path>\\S+?)";
const AT = "(?::(?<from2>\\d{1,7})(?:(?:-|:)(?<to2>\\d{1,7}))?)?";
const SELECTION =
  "(?:the |my |this )?(?:current |selected |active )?(?:selection|selected (?:code|text|lines?|part)|highlighted (?:code|text|lines?))";

export const reading: Family = {
  name: "reading",
  can: "show a file, or lines of it",
  examples: ["show README.md", "read src/main.ts lines 10-20", "what's in package.json?"],
  forms: [
    {
      pattern: wording`(?:${READ} |${WHAT_IS} )(?:in )?${SELECTION}|${SELECTION}`,
      make: (_, scene) => selection(scene),
    },
    {
      pattern: wording`${READ} ${CONTENT}(?:the )?(?:first|top) (?<first>\d{1,7}) lines (?:of|in|from) (?:the )?(?<file>file )?${PATH}(?: file)?`,
      make: (found, scene) => readFile(found, scene),
    },
    {
      pattern: wording`${READ} ${CONTENT}(?:the )?(?:last|bottom) (?<last>\d{1,7}) lines (?:of|in|from) (?:the )?(?<file>file )?${PATH}(?: file)?`,
      make: (found, scene) => readFile(found, scene),
    },
    {
      pattern: wording`(?:${READ} )?(?:the )?${LINES} (?:of|in|from) (?:the )?(?<file>file )?${PATH}(?: file)?`,
      make: (found, scene) => readFile(found, scene),
    },
    {
      pattern: wording`${READ} ${CONTENT}(?:the )?(?<file>file )?${CALLED}${PATH}${AT}(?: file)?(?:,? (?:from |at |on |only )?(?:the )?${LINES}|,? from (?<from3>\d{1,7}) to (?<to3>\d{1,7}))?`,
      make: (found, scene) => readFile(found, scene),
    },
    {
      pattern: wording`${READ} ${CONTENT}(?<path>${"(?:it|this|this file|that file|the file|the (?:current|active|open|opened) file)"})(?:,? (?:from |at )?${LINES})?`,
      make: (found, scene) => readFile(found, scene),
    },
    {
      pattern: wording`(?:${WHAT_IS}|what does|what do) (?:in(?:side)?(?: of)?|the contents? of|written in) (?:the )?(?<file>file )?(?:${FOLDER} )?(?<path>\S+?)(?: file)?(?<folder> ${FOLDER})?`,
      make: (found, scene) => fileOrFolder(found, scene),
    },
    {
      pattern: wording`what does (?:the )?(?<file>file )?${PATH}(?: file)? (?:say|contain|look like|have in it|hold)|(?:the )?contents? of (?<path2>\S+)`,
      make: (found, scene) => readFile(found, scene),
    },
    {
      pattern: wording`(?:how many|count(?: the)?) lines (?:(?:are |are there )?(?:in|of)|does|has|do) (?:the )?(?<file>file )?${PATH}(?: file)?(?: have| has| contain)?`,
      make: (found, scene) => {
        const path = pathIn(found, "path", scene, found.has("file"));
        return path === undefined ? undefined : countLines(path);
      },
    },
    {
      pattern: wording`${PATH}${AT}`,
      make: (found, scene) => {
        const action = isIt(found.text("path")) ? undefined : readFile(found, scene);
        return action && "run" in action ? { ...action, terse: true } : undefined;
      },
    },
  ],
};

function readFile(found: Found, scene: Scene): Action | Unclear | undefined {
  const name = found.has("path") ? "path" : "path2";
  const said = found.text(name);
  const path = pathIn(found, name, scene, found.has("file"));
  if (path === undefined && /^(?:src|lib|tests?|docs)$/.test(said)) return listFolder(said, 1);
  if (path === undefined) return isIt(said) ? { hint: `Which file is meant by "${said}"? Say its name.` } : undefined;
  if (path.endsWith("/") || path === "." || path === "..") return listFolder(path.replace(/(?<=.)\/+$/, ""), 1);
  if (/[*?]/.test(path)) return undefined;
  const number = (...names: string[]) => Number(names.map((one) => found.text(one)).find((text) => text !== "") ?? 0);
  const [from, to, first, last] = [
    number("from", "from2", "from3"),
    number("to", "to2", "to3"),
    number("first"),
    number("last"),
  ];
  if (first > 0) return read(path, { startLine: 1, maxLines: first });
  if (last > 0) return read(path, {}, last);
  if (from > 0) return read(path, { startLine: from, maxLines: Math.max(1, (to || from) - from + 1) });
  return read(path, {});
}

/** "What is in src" is a folder, "what is in package.json" a file. */
function fileOrFolder(found: Found, scene: Scene): Action | Unclear | undefined {
  const file = found.has("folder") ? undefined : readFile(found, scene);
  if (file) return file;
  const folder = found.text("path");
  return /^[\w@.-]+$/.test(folder) && !isIt(folder) ? listFolder(folder, 1) : undefined;
}

function selection({ context }: Scene): Action | Unclear {
  const selected = context.find(({ startLine, content }) => startLine !== undefined || content !== undefined);
  if (!selected) return { hint: "Nothing is selected, as far as your editor has told." };
  const { path, content, startLine, endLine } = selected;
  const lines = startLine === undefined ? "" : `:${startLine}${endLine === undefined ? "" : `-${endLine}`}`;
  if (content === undefined && startLine !== undefined) {
    return read(path, { startLine, maxLines: Math.max(1, (endLine ?? startLine) - startLine + 1) });
  }
  const text = `${code(path + lines)}, as your editor has it:\n\n${fenced(shownPart(content ?? "").text, languageOf(path))}`;
  const summary = `The selection is ${path}${lines}.`;
  return {
    name: "selection",
    title: "Show the selection",
    args: { path },
    talk: "answer",
    subject: path,
    run: async () => done(text, summary),
  };
}
