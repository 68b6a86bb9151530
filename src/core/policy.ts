import { isDeletion } from "./deletion.ts";
import type { Rule, Rules, RunRules } from "./rules.ts";
import type { Intent, Segment, Target, Tool } from "./tool.ts";
import { fitsWildcard, literalWildcard } from "./wildcard.ts";

/** `remember` is what would be written down if the person says so: nothing where it could not be said narrowly enough. */
export type Decision =
  | { verdict: "allow" }
  | { verdict: "deny"; why: string }
  | { verdict: "ask"; why: string; danger: boolean; remember: Rule[] };

type Decided = Pick<Tool, "name" | "risk">;

const NO_RULES: RunRules = { deny: [], ask: [], allow: [] };

/** Deny first, then what must always be asked about, then what the run itself wants, then allow, then ask. */
export function decide(tool: Decided, intent: Intent, rules: Rules, ofRun: RunRules = NO_RULES): Decision {
  const concerns = (rule: Rule) => isAbout(rule, tool, intent);
  const denied = rules.deny.find(concerns);
  if (denied) return { verdict: "deny", why: `A rule denies ${described(denied)}.` };
  const deniedHere = ofRun.deny.find(concerns);
  if (deniedHere) return { verdict: "deny", why: `The permissions of this run deny ${described(deniedHere)}.` };
  const always = alwaysAsked(tool, intent);
  if (always) return { verdict: "ask", why: always, danger: true, remember: [] };
  if (ofRun.ask.some(concerns)) return { verdict: "ask", why: "", danger: tool.risk === "publish", remember: [] };
  if (ofRun.allow.some((rule) => rule.tool === tool.name)) return allowedByRun(tool, intent, ofRun.allow);
  const allow = rules.allow.filter((rule) => rule.tool === tool.name);
  return intent.command ? decideCommand(tool, intent.command.segments, allow) : decideCall(tool, intent, allow);
}

/** Whatever the rules say: what leaves the workspace, what would change the rules themselves, what nobody can read. */
function alwaysAsked(tool: Decided, { targets, command }: Intent): string | undefined {
  const control = targets.find((target) => target.control && target.writes);
  if (control) return `It can change ${shown(control)}, which decides what is allowed here.`;
  const outside = targets.find((target) => target.outside);
  if (outside)
    return `${tool.risk === "read" ? "It reads" : "It touches"} ${shown(outside)}, outside of the workspace.`;
  if (command?.problem) return `The command cannot be understood for certain: ${command.problem}.`;
  if (command && command.segments.length === 0) return "There is no command in it that could be looked at.";
  return undefined;
}

/** Who allows a tool beforehand has seen no call of it: what deletes, or what nobody can tell, is asked about all the same. */
function allowedByRun(tool: Decided, intent: Intent, allow: Rule[]): Decision {
  const { segments = [] } = intent.command ?? {};
  const deletion = segments.find(({ words, runs = [] }) => [words, ...runs].some(isDeletion));
  if (deletion) return { verdict: "ask", why: `"${brief(deletion.text)}" deletes.`, danger: true, remember: [] };
  const unclear = segments.find((segment) => segment.opaque);
  if (unclear) return { verdict: "ask", why: unclearWhy(unclear), danger: false, remember: [] };
  const rules = allow.filter((rule) => rule.tool === tool.name);
  return intent.command ? decideCommand(tool, segments, rules) : decideCall(tool, intent, rules);
}

function decideCall(tool: Decided, intent: Intent, allow: Rule[]): Decision {
  if (tool.risk === "read") return { verdict: "allow" };
  const { skill } = intent;
  if (allow.some((rule) => !ofCommand(rule) && (rule.skill_name ?? skill) === skill)) return { verdict: "allow" };
  const danger = tool.risk === "publish";
  const rule: Rule = skill === undefined ? { tool: tool.name } : { tool: tool.name, skill_name: skill };
  return { verdict: "ask", why: "", danger, remember: danger ? [] : [rule] };
}

/** Every part must be allowed. */
function decideCommand(tool: Decided, segments: Segment[], allow: Rule[]): Decision {
  if (allow.some((rule) => !ofCommand(rule) && rule.skill_name === undefined)) return { verdict: "allow" };
  const open = segments.filter((segment) => segment.opaque || !allow.some((rule) => beginsOrFits(rule, segment.words)));
  if (open.length === 0) return { verdict: "allow" };
  const unclear = open.find((segment) => segment.opaque);
  const why = unclear ? unclearWhy(unclear) : "";
  const exact = open.map(({ words }) => ({ tool: tool.name, command_glob: literalWildcard(commandText(words)) }));
  const distinct = exact.filter((rule, at) => exact.findIndex((other) => sameRule(other, rule)) === at);
  return { verdict: "ask", why, danger: false, remember: unclear ? [] : distinct };
}

const unclearWhy = ({ text, opaque }: Segment) =>
  `What "${brief(text)}" does cannot be told from its words: ${opaque}.`;

const ofCommand = (rule: Rule) => rule.command !== undefined || rule.command_glob !== undefined;

function beginsOrFits(rule: Rule, words: string[]): boolean {
  if (rule.command !== undefined && !beginsWith(words, rule.command)) return false;
  if (rule.command_glob !== undefined && !fitsWildcard(rule.command_glob, commandText(words))) return false;
  return ofCommand(rule);
}

function beginsWith(words: string[], command: string): boolean {
  const first = command.trim().split(/\s+/);
  return first.every((word, at) => words[at] === word);
}

/** A rule that denies or wants an ask is read widely: the program by whatever path, within whatever runs it, and anywhere in the line as it is written. */
function isAbout(rule: Rule, tool: Decided, { command, skill }: Intent): boolean {
  if (rule.tool !== tool.name) return false;
  if (rule.skill_name !== undefined && rule.skill_name !== skill) return false;
  if (!ofCommand(rule)) return true;
  if (!command) return false;
  if (rule.command_glob !== undefined && fitsWildcard(rule.command_glob, command.text.trim())) return true;
  return command.segments.some(({ text, words, runs = [] }) => {
    const written = rule.command_glob !== undefined && fitsWildcard(rule.command_glob, text.trim());
    return written || [words, ...runs].some((each) => beginsOrFits(rule, each) || beginsOrFits(rule, byName(each)));
  });
}

const byName = ([program = "", ...others]: string[]) => [program.slice(program.lastIndexOf("/") + 1), ...others];

/** The words as one text that means these words and no others. */
export function commandText(words: string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** A rule as a person reads it. */
export function described({ tool, command, command_glob, skill_name }: Rule): string {
  const of = command ?? command_glob?.replace(/\\(.)/g, "$1") ?? skill_name;
  return onOneLine(of === undefined ? `every ${tool}` : `${tool}: ${of}`);
}

export function sameRule(a: Rule, b: Rule): boolean {
  const parts = ["tool", "command", "command_glob", "skill_name"] as const;
  return parts.every((part) => a[part] === b[part]);
}

const shown = ({ path, real }: Target) =>
  onOneLine(path === real || real.endsWith(`/${path}`) ? path : `${path} (${real})`);

/** A name with line ends in it could otherwise add lines of its own to a question. */
export const onOneLine = (text: string) => text.replace(/[\n\v\f\r\u0085\u2028\u2029]+/g, "⏎");

const brief = (text: string) => onOneLine(text.length > 60 ? `${text.slice(0, 59)}…` : text);
