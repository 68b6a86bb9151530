import { type Action, type ActionEnd, type ActionIO, callTool, done } from "./action.ts";
import { bulleted, code, count } from "./answer.ts";
import type { Family } from "./family.ts";
import { type PackageFile, packageIn, packageManager } from "./package-json.ts";
import { listResult, readResult } from "./results.ts";
import { SHOW, WHAT_IS, wording } from "./wording.ts";

const PROJECT = "(?:(?:this|the|my|our) )?(?:project|repo|repository|code ?base|package|app|application)";
const HAVE = `(?: (?:are there|do (?:we|i|you) have|does (?:it|${PROJECT}) (?:have|use|need|depend on)|can i run|${PROJECT} (?:has|uses)|are (?:used|needed|there)|(?:in|of|for|from) (?:${PROJECT}|package\\.json)|here))*`;
const SCRIPT_WORDS = "(?:npm |package |package\\.json |project )?(?:scripts|commands|tasks|make targets|targets)";
const DEPENDENCY_WORDS = "(?:npm |dev |runtime )?(?:dependencies|deps|libraries|packages)";

/** Answers that a project gives of itself: they are read, not guessed. */
export const project: Family = {
  name: "project",
  can: "say what a project tells of itself",
  examples: ["what is this project about?", "which scripts are there?", "how do I run the tests?"],
  forms: [
    {
      pattern: wording`(?:(?:what is|what's|whats)(?: in)? (?:this|${PROJECT}(?: all)? about|this ${PROJECT}|this (?:all )?about)|what does ${PROJECT} do|(?:tell me (?:something )?|something )?about ${PROJECT}|(?:describe|explain|summari[sz]e|introduce) ${PROJECT}|(?:${SHOW} |give me )?(?:an |a |the )?(?:overview|summary|description) of ${PROJECT}|what am i looking at)`,
      make: () => about("Say what the project is", overview),
    },
    {
      pattern: wording`(?:(?:${WHAT_IS}|what|which|list|${SHOW}) )(?:all )?(?:the |available |my |our )*${SCRIPT_WORDS}${HAVE}`,
      make: () => about("List the project's scripts", scripts),
    },
    {
      pattern: wording`(?:how (?:do|can|should|would) (?:i|we|you)|how to) (?:run|start|build|test|lint|launch|use|install|execute|compile)(?: up)?(?: (?:it|this|the tests?|tests|the (?:build|linter|server|app)|${PROJECT}))?`,
      make: () => about("List the project's scripts", scripts),
    },
    {
      pattern: wording`(?:(?:${WHAT_IS}|what|which|list|${SHOW}) )(?:all )?(?:the |installed |my |our |its )*${DEPENDENCY_WORDS}${HAVE}`,
      make: () => about("List the project's dependencies", dependencies),
    },
    {
      pattern: wording`(?:(?:${WHAT_IS}|what|which|${SHOW}) )(?:the |its |current )*version(?: (?:number|is this|is it|is ${PROJECT}|of ${PROJECT}|are we on|do we have))*`,
      make: () => about("Say the project's version", version),
    },
    {
      pattern: wording`(?:how many|count(?: all)?(?: the)?) lines(?: of (?:source )?code)?(?: (?:are there|do we have|does (?:it|${PROJECT}) have|in ${PROJECT}|(?:are )?(?:in )?here|in total|there are))*`,
      make: () => ({
        hint: "That takes a command, which you would be asked about: `run git ls-files | xargs wc -l`. For one file: `how many lines are in README.md?`",
      }),
    },
  ],
};

/** What is known of the project: the names at its top, and its package.json, if it has one that can be read. */
interface Known {
  io: ActionIO;
  names: Set<string>;
  pack?: PackageFile;
}

function about(title: string, tell: (known: Known) => ActionEnd | Promise<ActionEnd>): Action {
  return {
    name: "project",
    title,
    args: {},
    run: async (io) => {
      const listed = await callTool(io, "list", {}, listResult);
      if (listed.outcome !== "done") return listed;
      const names = new Set(listed.result.entries.map(({ path }) => path));
      return tell({ io, names, pack: names.has("package.json") ? await packageIn(io) : undefined });
    },
  };
}

const MOST_README_LINES = 12;

async function overview({ io, names, pack }: Known): Promise<ActionEnd> {
  const readme = [...names].find((name) => /^readme(?:\.(?:md|txt|rst|adoc))?$/i.test(name));
  const said = readme === undefined ? "" : await beginningOf(io, readme);
  const title = pack?.name ? `${code(pack.name)}${pack.version ? ` ${pack.version}` : ""}` : "This project";
  const summary = pack?.description
    ? `${title}: ${pack.description}`
    : `${title} says no more of itself than its files do.`;
  const head = pack?.description || said === "" ? [summary] : [`${title} says of itself, in ${code(readme ?? "")}:`];
  const blocks = [
    ...head,
    ...(said === "" ? [] : [...(pack?.description ? [`From ${code(readme ?? "")}:`] : []), quoted(said)]),
    `At its top: ${[...names].slice(0, 30).map(code).join(", ")}.`,
    `More: ${["which scripts are there?", "tree", ...(readme ? [`show ${readme}`] : [])].map(code).join(", ")}.`,
  ];
  return done(blocks.join("\n\n"), pack?.description ?? "What the project says of itself.");
}

const quoted = (text: string) =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

async function beginningOf(io: ActionIO, readme: string): Promise<string> {
  const reply = await callTool(io, "read", { path: readme, maxLines: MOST_README_LINES }, readResult);
  return reply.outcome === "done" ? reply.result.content.trim() : "";
}

async function scripts({ io, names, pack }: Known): Promise<ActionEnd> {
  const manager = packageManager(names);
  const own = Object.entries(pack?.scripts ?? {}).map(([name, line]) => {
    const command = name === "test" || name === "start" ? `${manager} ${name}` : `${manager} run ${name}`;
    return `${code(command)} runs ${code(line)}`;
  });
  const makefile = ["Makefile", "makefile", "GNUmakefile"].find((name) => names.has(name));
  const targets = makefile === undefined ? [] : await targetsIn(io, makefile);
  const items = [...own, ...targets.map((target) => code(`make ${target}`))];
  if (items.length === 0) {
    const summary = "No package.json or Makefile here says what can be run.";
    return done(summary, summary);
  }
  const summary = `${count(items.length, "command")} of the project's own:`;
  return done(
    `${summary}\n\n${bulleted(items)}\n\nSay ${code("run")} and one of them, or ${code("run the tests")}.`,
    summary,
  );
}

async function targetsIn(io: ActionIO, makefile: string): Promise<string[]> {
  const reply = await callTool(io, "read", { path: makefile }, readResult);
  if (reply.outcome !== "done") return [];
  const names = [...reply.result.content.matchAll(/^([A-Za-z][\w.-]*):(?!=)/gm)].map(([, name = ""]) => name);
  return [...new Set(names)];
}

const OTHER_LISTS = ["Cargo.toml", "go.mod", "pyproject.toml", "requirements.txt", "Gemfile", "pom.xml", "deno.json"];

function dependencies({ names, pack }: Known): ActionEnd {
  const other = OTHER_LISTS.find((name) => names.has(name));
  if (!pack) {
    const summary = other ? `They are in ${other}.` : "Nothing here lists dependencies.";
    return done(other ? `They are in ${code(other)}: say ${code(`show ${other}`)}.` : summary, summary);
  }
  const kinds: [string, Record<string, string>][] = [
    ["Needed to run", pack.dependencies],
    ["Needed to develop", pack.devDependencies],
  ];
  const total = kinds.reduce((sum, [, list]) => sum + Object.keys(list).length, 0);
  const summary = total === 0 ? "It has no dependencies." : `It has ${count(total, "dependency")}.`;
  const blocks = kinds.flatMap(([heading, list]) => {
    const items = Object.entries(list).map(([name, range]) => `${code(name)} ${range}`);
    return items.length === 0 ? [] : [`**${heading}**\n${bulleted(items)}`];
  });
  return done([summary, ...blocks].join("\n\n"), summary);
}

function version({ names, pack }: Known): ActionEnd {
  const other = OTHER_LISTS.find((name) => names.has(name));
  const elsewhere = other ? ` Maybe ${code(other)} does: say ${code(`show ${other}`)}.` : "";
  if (pack?.version) {
    const summary = `${pack.name ?? "It"} is at version ${pack.version}.`;
    return done(summary, summary);
  }
  const summary = "No package.json here says a version.";
  return done(summary + elsewhere, summary);
}
