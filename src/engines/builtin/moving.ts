import { type Action, type ActionIO, callTool, done, type Scene, toolAction, type Unclear } from "./action.ts";
import { code } from "./answer.ts";
import type { Family } from "./family.ts";
import { isIt, pathIn, shellWord } from "./paths.ts";
import { shellResult, statusResult } from "./results.ts";
import { shellAnswer } from "./shell-answer.ts";
import { CALLED, FOLDER, type Found, wording } from "./wording.ts";

const THE_FILE = `(?:the )?(?<kind>file |${FOLDER} )?${CALLED}`;
const TO = "(?:to|into|as|in)";

export const moving: Family = {
  name: "moving",
  can: "delete, rename, copy files and make folders",
  examples: ["rename a.ts to b.ts", "delete old.txt"],
  forms: [
    {
      pattern: wording`(?:delete|remove|erase|rm|trash|get rid of) ${THE_FILE}(?<path>\S+|it|this file|that file)(?: file)?(?<kind2> ${FOLDER})?`,
      make: (found, scene) => remove(found, scene),
    },
    {
      pattern: wording`(?:delete|remove|erase|rm|trash) (?:the )?(?:files )?(?<paths>\S+(?:(?:, and |, | and )\S+){1,9})`,
      make: (found, scene) => removeAll(found, scene),
    },
    {
      pattern: wording`(?:rename|move|mv) ${THE_FILE}(?<path>\S+)(?: file)? ${TO} (?:the )?(?:${FOLDER} )?(?<to>\S+?)(?: ${FOLDER})?`,
      make: (found, scene) => twoPaths(found, scene, move),
    },
    {
      pattern: wording`(?:copy|cp|duplicate|clone) ${THE_FILE}(?<path>\S+)(?: file)? ${TO} (?:the )?(?:${FOLDER} )?(?<to>\S+?)(?: ${FOLDER})?`,
      make: (found, scene) => twoPaths(found, scene, copy),
    },
    {
      pattern: wording`(?:create|make|add|new|mkdir) (?:a |an |the )?(?:new |empty )*(?:${FOLDER} )${CALLED}(?<path>\S+)|mkdir (?:-p )?(?<path2>\S+)`,
      make: (found, scene) => {
        const path = pathIn(found, found.has("path") ? "path" : "path2", scene, true);
        return path === undefined
          ? undefined
          : byShell(`Make the folder ${path}`, `mkdir -p -- ${shellWord(path)}`, path, `Made the folder ${path}.`);
      },
    },
  ],
};

function remove(found: Found, scene: Scene): Action | Unclear | undefined {
  const isFolder = /fold|dir/i.test(found.text("kind") + found.text("kind2"));
  const said = found.text("path");
  const path = pathIn(found, "path", scene, found.has("kind") || found.has("kind2"));
  if (path === undefined) return isIt(said) ? { hint: `Which file is meant by "${said}"? Say its name.` } : undefined;
  if (/[*?]/.test(path) && !found.literal("path"))
    return { hint: `Name the files to be deleted one by one, or say the command: ${code("run rm ...")}.` };
  const command = `rm ${isFolder || path.endsWith("/") ? "-r " : ""}-- ${shellWord(path)}`;
  return byShell(`Delete ${path}`, command, path, `Deleted ${path}.`);
}

function removeAll(found: Found, scene: Scene): Action | undefined {
  const words = found.masked("paths").split(/, and |, | and /);
  const paths = words.map((word) => pathIn(found.part(word), "part", scene)).filter((path) => path !== undefined);
  if (paths.length < words.length || paths.some((path) => /[*?]|\/$/.test(path))) return undefined;
  const names = paths.join(", ");
  return {
    ...byShell(`Delete ${names}`, `rm -- ${paths.map(shellWord).join(" ")}`, names, `Deleted ${names}.`),
    touches: paths,
  };
}

function twoPaths(
  found: Found,
  scene: Scene,
  make: (from: string, to: string) => Action,
): Action | Unclear | undefined {
  const from = pathIn(found, "path", scene, found.has("kind"));
  const to = pathIn(found, "to", scene, found.has("kind") || from !== undefined);
  if (from === undefined || to === undefined || isIt(found.text("to"))) return undefined;
  return make(from, to);
}

const copy = (from: string, to: string) =>
  byShell(`Copy ${from} to ${to}`, `cp -- ${shellWord(from)} ${shellWord(to)}`, to, `Copied ${from} to ${to}.`);

function byShell(title: string, command: string, path: string, summary: string): Action {
  return toolAction({
    name: "shell",
    title,
    args: { command },
    changes: true,
    touches: [path],
    subject: path,
    result: shellResult,
    answer: (result) => (result.exitCode === 0 ? { text: summary, summary } : shellAnswer(command, result)),
  });
}

/** git is told of a file that it knows; it would refuse to move any other. */
function move(from: string, to: string): Action {
  return {
    name: "move",
    title: `Rename ${from} to ${to}`,
    args: { from, to },
    changes: true,
    touches: [from, to],
    subject: to,
    run: async (io) => {
      const words = `-- ${shellWord(from)} ${shellWord(to)}`;
      const command = (await isTracked(io, from)) ? `git mv ${words}` : `mv -n ${words}`;
      const reply = await callTool(io, "shell", { command }, shellResult);
      if (reply.outcome !== "done") return reply;
      const summary = `Renamed ${from} to ${to}.`;
      return reply.result.exitCode === 0 ? done(summary, summary) : shellAnswer(command, reply.result);
    },
  };
}

async function isTracked(io: ActionIO, path: string): Promise<boolean> {
  const status = await callTool(io, "git_status", {}, statusResult);
  if (status.outcome !== "done") return false; // no repository
  const wanted = path.replace(/^\.\//, "");
  return !status.result.files.some(
    (file) =>
      /untracked|\?/i.test(file.status) && (file.path === wanted || wanted.startsWith(file.path.replace(/\/?$/, "/"))),
  );
}
