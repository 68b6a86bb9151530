import { type Action, type ActionEnd, type ActionIO, callTool, done, type Scene, type Unclear } from "./action.ts";
import { code, count } from "./answer.ts";
import { messageForFiles, parseCommitMessage, proposeCommitMessage } from "./commit-message.ts";
import type { Family } from "./family.ts";
import { isIt, pathIn } from "./paths.ts";
import { commitResult, diffResult, statusResult } from "./results.ts";
import { type Found, wording } from "./wording.ts";

const SAYING =
  "(?: (?:as|with|saying|using|under|titled|called|and call it|message|-m|--message)(?: (?:the |a |this )?(?:commit )?(?:message|text|title|subject))?:?|:)";
const STAGE =
  "(?<stage>(?:git )?(?:stage|add)(?: (?:it|them|all|everything|(?:all )?(?:the |my )?(?:changes|files)))? and )?";
const WHAT =
  "(?<all>all|everything|it all|all (?:of )?(?:the |my |our |these |those )?(?:changes|files|work)|(?:the |my |our |these |those )?(?:changes|files|work))|(?<staged>(?:the |my |only )?(?:staged|index|what is staged)(?: changes| files)?)|(?<this>it|this|that|them|these|those)|(?<paths>(?!(?:as|with|saying|using|under|titled|called|message|-m|and|to)\\b)(?:the )?(?:files? )?[^\\s:]+(?:(?:, and |, | and | )[^\\s:]+){0,5}?)";

export const committing: Family = {
  name: "committing",
  can: "commit with a conventional message",
  examples: ["commit this as feat(api): add user endpoint"],
  forms: [
    {
      pattern: wording`(?:git )?commit (?:-a ?m|-m|--message) (?<message>[\s\S]+)`,
      open: true,
      make: (found, scene) => commit(found, scene),
    },
    {
      pattern: wording`${STAGE}(?:git )?(?:commit|check in|make a commit (?:of|with)|create a commit (?:of|with|for))(?: (?:${WHAT}))?${SAYING} (?<message>[\s\S]+)`,
      open: true,
      make: (found, scene) => commit(found, scene),
    },
    {
      pattern: wording`(?:git )?commit (?<message>[a-z]+(?:\([^()]*\))?!?: [\s\S]+)`,
      open: true,
      make: (found, scene) => (parseCommitMessage(found.text("message")) ? commit(found, scene) : undefined),
    },
    {
      pattern: wording`${STAGE}(?:git )?(?:commit|check in)(?: (?:${WHAT}))?|(?:make|create|do) a (?:git )?commit(?: of (?:it|this|everything|my changes|the changes))?`,
      make: (found, scene) => commit(found, scene),
    },
    {
      pattern: wording`(?:git )?commit (?<message>.+)`,
      open: true,
      make: (found, scene) => (found.literal("message") ? commit(found, scene) : undefined),
    },
  ],
};

/** `mixed`: what is staged, or if nothing is, everything. */
type Scope = { all: true } | { staged: true } | { paths: string[] } | { mixed: true };

function commit(found: Found, scene: Scene): Action | Unclear | undefined {
  const scope = scopeOf(found, scene);
  if (!scope) return undefined;
  const message = found.text("message").trim();
  return {
    name: "commit",
    title: message === "" ? "Commit" : `Commit as ${message.split("\n")[0]}`,
    args: { ...(message === "" ? {} : { message }), ...scope },
    changes: true,
    completes: true,
    ...(message !== "" && !found.literal("message") ? { openEnd: "message" as const } : {}),
    run: (io) => perform(io, message, scope),
  };
}

function scopeOf(found: Found, scene: Scene): Scope | undefined {
  if (found.has("all") || (found.has("stage") && !found.has("paths"))) return { all: true };
  if (found.has("staged")) return { staged: true };
  // "it" is the file that was just written; before any was, the work as it is.
  if (found.has("this")) {
    const isOne = /^(?:it|that)$/i.test(found.text("this"));
    return isOne && scene.subject !== undefined ? { paths: [scene.subject] } : { mixed: true };
  }
  if (!found.has("paths")) return { mixed: true };
  const words = found
    .masked("paths")
    .replace(/^(?:the )?(?:files? )?/i, "")
    .split(/, and |, | and | /);
  const paths = words.map((word) => pathIn(found.part(word), "part", scene));
  return paths.some((path) => path === undefined || isIt(path))
    ? undefined
    : { paths: paths.filter((path) => path !== undefined) };
}

async function perform(io: ActionIO, said: string, scope: Scope): Promise<ActionEnd> {
  const status = await callTool(io, "git_status", {}, statusResult);
  if (status.outcome !== "done") return status;
  if (status.result.clean) {
    return {
      outcome: "failed",
      code: "precondition_failed",
      message: "There is nothing to commit: the working tree is clean.",
    };
  }
  const message = parseCommitMessage(said) ?? (await askFor(io, said, status.result.files));
  if ("outcome" in message) return message;
  const what = await selected(io, scope);
  if ("outcome" in what) return what;
  const reply = await callTool(io, "git_commit", { ...message, ...what }, commitResult);
  if (reply.outcome !== "done") return reply;
  const { hash, subject, files } = reply.result;
  const short = hash.slice(0, 7);
  // A client that made the commit may not have said all of it.
  const [named, counted] = [short && `${code(short)} `, files.length > 0 ? ` (${count(files.length, "file")})` : ""];
  return done(`Committed ${named}${code(subject)}${counted}.`, `Committed ${short && `${short}: `}${subject}`);
}

async function selected(io: ActionIO, scope: Scope): Promise<{ all?: true; paths?: string[] } | ActionEnd> {
  if ("paths" in scope) return { paths: scope.paths };
  if ("all" in scope) return { all: true };
  if ("staged" in scope) return {};
  const staged = await callTool(io, "git_diff", { staged: true }, diffResult);
  if (staged.outcome !== "done") return staged;
  return staged.result.files.length > 0 ? {} : { all: true };
}

/** A message of another form is not rewritten behind anyone's back: whoever is there says what it is to be. */
async function askFor(io: ActionIO, said: string, files: { path: string; status: string }[]) {
  const proposal = said === "" ? messageForFiles(files) : proposeCommitMessage(said);
  const why = said === "" ? "The commit needs a message." : `"${said.split("\n")[0]}" is no conventional commit.`;
  const reply = await io.ask({
    kind: "prompt",
    title: "Commit message",
    message: `${why} Its form is type(scope): description, with one of the types feat, fix, docs, test, refactor, chore ...`,
    defaultValue: proposal,
  });
  const next = `Say it again with one, such as: ${code(`commit as ${proposal}`)}.`;
  const value = reply.outcome === "answered" && "value" in reply.answer ? reply.answer.value : undefined;
  if (value === null)
    return { outcome: "denied" as const, message: "No message was given, so nothing was committed.", goOn: true };
  if (value === undefined)
    return {
      outcome: "failed" as const,
      code: "no_one_to_ask",
      message: `${why} Nobody answered what it should be. ${next}`,
    };
  const message = parseCommitMessage(value);
  if (message) return message;
  return {
    outcome: "failed" as const,
    code: "invalid_params",
    message: `"${value}" is no conventional commit either. ${next}`,
  };
}
