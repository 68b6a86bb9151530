import { type Action, type ActionEnd, type ActionIO, callTool, done, type Scene, type Unclear } from "./action.ts";
import { code, count, shortened } from "./answer.ts";
import type { Family } from "./family.ts";
import { isIt, pathIn } from "./paths.ts";
import { foundElsewhere } from "./read-file.ts";
import { editResult } from "./results.ts";
import { type Found, wording } from "./wording.ts";

const CHANGE = "(?:replace|change|substitute|swap|rename)";
const EVERY = "(?<all>(?:all|every|each) (?:of )?(?:the )?(?:(?:occurrences?|instances?|uses?|places?) (?:of )?)?)?";
const WORD = "(?:the )?(?:text |word |string |line |name |variable |function |value |first |only )?";
const BY = "(?:with|by|to|into|for)";
const FILE = "(?:in|inside|within|of|from) (?:the )?(?<file>file )?(?<path>\\S+?)(?: file)?";
const ALSO_EVERY =
  "(?<all2>,? (?:everywhere|throughout|globally|all (?:occurrences|of them|instances)|each time|every time))?";

export const editing: Family = {
  name: "editing",
  can: "replace text in a file",
  examples: ["replace `foo` with `bar` in src/main.ts", "in config.json change 8080 to 9090"],
  forms: [
    {
      pattern: wording`(?:change|update|set|switch|bump) (?:the )?\S+(?: \S+)? from (?<find>.+?) to (?<replace>.+?) ${FILE}`,
      make: (found, scene) => edit(found, scene),
    },
    {
      pattern: wording`${CHANGE} ${EVERY}${WORD}(?<find>.+?) ${BY} ${WORD}(?<replace>.+?)${ALSO_EVERY} ${FILE}${ALSO_EVERY.replace("all2", "all3")}`,
      make: (found, scene) => edit(found, scene),
    },
    {
      pattern: wording`${FILE.replace("of|from", "of")},? (?:please )?${CHANGE} ${EVERY}${WORD}(?<find>.+?) ${BY} ${WORD}(?<replace>.+?)${ALSO_EVERY}`,
      make: (found, scene) => edit(found, scene),
    },
    {
      pattern: wording`(?:edit|change|update|modify) (?:the )?(?<file>file )?(?<path>\S+?),?(?: and|:| to| so that it)? (?:replace|change|replacing|changing) ${EVERY}${WORD}(?<find>.+?) ${BY} ${WORD}(?<replace>.+?)${ALSO_EVERY}`,
      make: (found, scene) => edit(found, scene),
    },
    {
      pattern: wording`s/(?<find>[^/]+)/(?<replace>[^/]*)/(?<all>g)? (?:in|on) (?<path>\S+)`,
      make: (found, scene) => edit(found, scene),
    },
    {
      pattern: wording`(?:remove|delete|drop|take out|erase|strip) ${EVERY}${WORD}(?<find>.+?) (?:from|in|out of) (?:the )?(?<file>file )?(?<path>\S+?)(?: file)?`,
      make: (found, scene) => edit(found, scene),
    },
  ],
};

function edit(found: Found, scene: Scene): Action | Unclear | undefined {
  const path = pathIn(found, "path", scene, found.has("file"));
  if (path === undefined) {
    const said = found.text("path");
    return isIt(said) ? { hint: `Which file is meant by "${said}"? Say its name.` } : undefined;
  }
  const find = found.text("find");
  const replace = found.has("replace") ? found.text("replace") : "";
  // "remove the file from src" is about the file.
  if (find.trim() === "" || /^(?:it|this|that|them|the file|everything|the changes?)$/i.test(find)) return undefined;
  const all = ["all", "all2", "all3"].some((name) => found.has(name));
  return {
    name: "edit",
    title: `Replace ${shortened(find, 30)} ${replace === "" ? "by nothing" : `with ${shortened(replace, 30)}`} in ${path}`,
    args: { path, find, replace, ...(all ? { all } : {}) },
    changes: true,
    touches: [path],
    subject: path,
    run: (io) => editOrFind(io, { path, find, replace, all }),
  };
}

interface Edit {
  path: string;
  find: string;
  replace: string;
  all: boolean;
}

async function editOrFind(io: ActionIO, wanted: Edit): Promise<ActionEnd> {
  const { path, find, replace, all } = wanted;
  const reply = await callTool(io, "edit", { ...wanted }, editResult);
  if (reply.outcome === "failed" && reply.message.startsWith("There is no ")) {
    const elsewhere = await foundElsewhere(io, path, reply);
    if (typeof elsewhere === "string") return editOrFind(io, { ...wanted, path: elsewhere });
    return elsewhere.outcome === "done" ? { ...reply, message: elsewhere.text } : elsewhere;
  }
  if (reply.outcome === "failed") return withAdvice(reply, all, `replace all "${find}" with "${replace}" in ${path}`);
  if (reply.outcome !== "done") return reply;
  const { replacements } = reply.result;
  return done(`Replaced ${count(replacements, "place")} in ${code(reply.result.path)}.`, `Edited ${path}.`);
}

/** The tool speaks to whoever sets its arguments; a person is told the words for it. */
function withAdvice(failed: Extract<ActionEnd, { outcome: "failed" }>, all: boolean, request: string): ActionEnd {
  const severalTimes = !all && / (\d+) times\b/.exec(failed.message);
  if (!severalTimes) return failed;
  return {
    ...failed,
    message: `It is there ${severalTimes[1]} times. Say more of what is around it, or: ${code(request)}.`,
  };
}
