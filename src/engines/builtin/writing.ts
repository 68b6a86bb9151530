import {
  type Action,
  type ActionEnd,
  type ActionIO,
  callTool,
  done,
  type Scene,
  toolAction,
  type Unclear,
} from "./action.ts";
import { bytes, code, count } from "./answer.ts";
import type { Family } from "./family.ts";
import { isIt, pathIn } from "./paths.ts";
import { editResult, readResult, writeResult } from "./results.ts";
import { CALLED, type Found, wording } from "./wording.ts";

const WRITE = "(?:write|create|make|add|generate|save|put|overwrite|fill|set up|new)";
const FILE = `(?:to )?(?:a |an |the |me a )?(?:new |empty |small |text |plain )*(?<file>file )?${CALLED}(?:at )?`;
const SAYING =
  "(?:,? (?:with|containing|that (?:contains|says|has|reads)|which (?:contains|says)|saying|having|and (?:write|put)(?: in it)?|holding|reading)|:)(?: in it)?";
const CONTENT_WORD =
  "(?: (?:the |this |these |following |exact |only |single |just )*(?:contents?|text|lines?|words?|body|code|string|data|json|following|message)(?: of)?(?: in it)?:?| this:| the following:?)?:?";
const QUOTABLE = "(?:the |this |a |following )*(?:text |line |lines |string |words? |content |code |sentence )?";

export const writing: Family = {
  name: "writing",
  can: "write or append to a file",
  examples: ["write a file notes.txt with the text hello", "append `done` to TODO.md"],
  forms: [
    {
      pattern: wording`(?:append|add|attach) (?:the |this |a )?(?:following )?(?:text |line |lines |content )?(?:to|at) (?:the end of )?(?:the )?(?<file>file )?(?<path>\S+?)(?::| the (?:text|line|lines|following|content):?) (?<content>[\s\S]+)`,
      open: true,
      make: (found, scene) => append(found, scene),
    },
    {
      pattern: wording`(?:append|add|attach) ${QUOTABLE}(?<content>[\s\S]+) (?:to|at|on|onto) (?:the (?:very )?(?:end|bottom) of )?(?:the )?(?<file>file )?(?<path>\S+?)(?: file)?[.!]?`,
      open: true,
      make: (found, scene) => append(found, scene),
    },
    {
      pattern: wording`${WRITE} ${FILE}(?<path>\S+?)(?: file)?${SAYING}${CONTENT_WORD}\s(?<content>[\s\S]+)`,
      open: true,
      make: (found, scene) => write(found, scene),
    },
    {
      pattern: wording`(?:write|put|save|insert|store) ${QUOTABLE}(?<content>[\s\S]+) (?:to|into|in|as|inside) (?:a |an |the )?(?:new )?(?<file>file )?${CALLED}(?<path>\S+?)(?: file)?[.!]?`,
      open: true,
      make: (found, scene) => write(found, scene),
    },
    {
      pattern: wording`(?:create|make|touch|add|new) (?:a |an |the |me a )?(?:new |empty |blank )*(?<file>file )?${CALLED}(?<path>\S+?)(?: file)?(?:,? (?:that is |which is )?empty)?`,
      make: (found, scene) => createEmpty(found, scene),
    },
    {
      pattern: wording`(?:write|overwrite|append)(?: to)? (?:a |the |to )?(?:new )?(?<file>file )?${CALLED}(?<path>\S+)`,
      make: (found, scene) => {
        const path = pathIn(found, "path", scene, found.has("file"));
        return path === undefined
          ? undefined
          : { hint: `What should be in it? For example: ${code(`write ${path} with the text hello`)}.` };
      },
    },
  ],
};

interface Text {
  path: string;
  content: string;
  isOpen: boolean;
}

/** Both have to be there: a text, and a file by its look or because it was called one. */
function textAndPath(found: Found, scene: Scene): Text | Unclear | undefined {
  const path = pathIn(found, "path", scene, found.has("file"));
  if (path === undefined) {
    return isIt(found.text("path"))
      ? { hint: `Which file is meant by "${found.text("path")}"? Say its name.` }
      : undefined;
  }
  if (path.endsWith("/")) return { hint: `${code(path)} is a folder. Say the name of the file too.` };
  const content = found.text("content");
  if (content === "" || /^(?:an|the|it)$/i.test(content)) return undefined;
  return { path, content: withLineEnd(content), isOpen: found.literal("content") === undefined };
}

/** A text file ends with a line end, also when it is one line that somebody typed. */
const withLineEnd = (text: string) => (text.endsWith("\n") ? text : `${text}\n`);

function write(found: Found, scene: Scene): Action | Unclear | undefined {
  const said = textAndPath(found, scene);
  return said && "path" in said ? writeFile(said) : said;
}

function writeFile({ path, content, isOpen }: Text): Action {
  return toolAction({
    name: "write",
    title: `Write ${path}`,
    args: { path, content },
    changes: true,
    touches: [path],
    subject: path,
    ...(isOpen ? { openEnd: "text" as const } : {}),
    result: writeResult,
    answer: written,
  });
}

function written({ path, created, bytes: size }: (typeof writeResult)["_output"]) {
  const verb = created ? "Created" : "Overwrote";
  return { text: `${verb} ${code(path)} (${bytes(size)}).`, summary: `${verb} ${path}.` };
}

function append(found: Found, scene: Scene): Action | Unclear | undefined {
  const said = textAndPath(found, scene);
  if (!said || !("path" in said)) return said;
  const { path, content, isOpen } = said;
  return {
    name: "append",
    title: `Append to ${path}`,
    args: { path, content },
    changes: true,
    touches: [path],
    subject: path,
    ...(isOpen ? { openEnd: "text" as const } : {}),
    run: (io) => appendTo(io, path, content),
  };
}

/** What is in the file stays byte for byte: the edit is about its last lines, and fails when these are other ones by then. */
async function appendTo(io: ActionIO, path: string, content: string): Promise<ActionEnd> {
  const before = await textOf(io, path);
  if (before.outcome === "failed" || before.outcome === "denied") return before;
  const amount = count(content.trimEnd().split("\n").length, "line");
  if (before.text === "") {
    const reply = await callTool(io, "write", { path, content }, writeResult);
    return reply.outcome === "done" ? { outcome: "done", ...written(reply.result) } : reply;
  }
  const find = uniqueEnd(before.text);
  const reply = await callTool(io, "edit", { path, find, replace: withLineEnd(find) + content }, editResult);
  if (reply.outcome !== "done") return reply;
  return done(`Appended ${amount} to ${code(path)}.`, `Appended ${amount} to ${path}.`);
}

/** The fewest lines at the end that are nowhere else in it. */
function uniqueEnd(text: string): string {
  for (let at = text.lastIndexOf("\n", text.length - 2); at > 0; at = text.lastIndexOf("\n", at - 1)) {
    const end = text.slice(at + 1);
    if (text.indexOf(end) === at + 1) return end;
  }
  return text;
}

type Before = { outcome: "there" | "missing"; text: string } | Exclude<ActionEnd, { outcome: "done" }>;

async function textOf(io: ActionIO, path: string): Promise<Before> {
  const reply = await callTool(io, "read", { path, maxLines: 10_000 }, readResult);
  if (reply.outcome === "denied") return reply;
  // The tool's own words are all that tells a file that is not there from one that cannot be read.
  if (reply.outcome === "failed") return /^There is no /.test(reply.message) ? { outcome: "missing", text: "" } : reply;
  if (!reply.result.truncated) return { outcome: "there", text: reply.result.content };
  const message = `${code(path)} is too long for this. Append to it with a command: ${code(`run echo "..." >> ${path}`)}.`;
  return { outcome: "failed", code: "tool_failed", message };
}

/** A file that is there is not emptied by asking for a new one. */
function createEmpty(found: Found, scene: Scene): Action | undefined {
  const path = pathIn(found, "path", scene, found.has("file"));
  if (path === undefined || path.endsWith("/") || isIt(found.text("path"))) return undefined;
  return {
    name: "create",
    title: `Create ${path}`,
    args: { path },
    changes: true,
    touches: [path],
    subject: path,
    run: async (io) => {
      const before = await textOf(io, path);
      if (before.outcome === "denied") return before;
      if (before.outcome !== "missing") {
        const message = `${code(path)} is there already and was left as it is.`;
        return before.outcome === "failed" ? before : { outcome: "failed", code: "conflict", message };
      }
      const reply = await callTool(io, "write", { path, content: "" }, writeResult);
      return reply.outcome === "done" ? { outcome: "done", ...written(reply.result) } : reply;
    },
  };
}
