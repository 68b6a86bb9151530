import * as z from "zod";
import { DragomanError } from "./errors.ts";

/**
 * What a rule is about: a tool, and of a tool that runs commands those that begin with the words of `command` or fit `command_glob`
 * (`*` any text, `?` one character, a backslash before what is meant literally). A rule with neither means every use of the tool.
 */
export const ruleSchema = z.object({
  tool: z.string().min(1),
  command: z.string().min(1).optional(),
  command_glob: z.string().min(1).optional(),
  skill_name: z.string().min(1).optional(),
});
export type Rule = z.infer<typeof ruleSchema>;

export const rulesSchema = z.object({
  allow: z.array(ruleSchema).default([]),
  deny: z.array(ruleSchema).default([]),
});
export type Rules = z.infer<typeof rulesSchema>;

/**
 * What a client wants to hold for its own runs, on top of the rules of the workspace: it can be stricter than those. What it allows
 * is never what must always be asked about, nor what deletes or cannot be told from its words.
 */
export const runRulesSchema = z.object({
  deny: z.array(ruleSchema).default([]),
  ask: z.array(ruleSchema).default([]),
  allow: z.array(ruleSchema).default([]),
  /** Of a run: what its session allows does not count for it, and what it denies counts whatever the run says. */
  strict: z.boolean().optional(),
  /** Of a run: rules that do not count for it where its session has them, besides those that it has itself. */
  without: z.array(ruleSchema).optional(),
  /** Of a run: what is asked about as long as its session says nothing of the matter. Each list is one matter. */
  askUnlessSaid: z.array(z.array(ruleSchema)).optional(),
});
export type RunRules = z.infer<typeof runRulesSchema>;

const NONE: RunRules = { deny: [], ask: [], allow: [] };

/** What a run is asked for with goes before what its session says when it starts, rule by rule. */
export function withRules(session: RunRules | undefined, run: RunRules | undefined): RunRules | undefined {
  if (!run) return session;
  const { deny, ask, allow } = session ?? NONE;
  const { without = [], askUnlessSaid = [] } = run;
  const said = keysOf(run.deny, run.ask, run.allow, without);
  const left = (rules: Rule[]) => rules.filter((rule) => !said.has(keyOf(rule)));
  const saidBySession = keysOf(deny, ask, allow);
  const unsaid = askUnlessSaid.filter((matter) => !matter.some((rule) => saidBySession.has(keyOf(rule))));
  return {
    deny: [...(run.strict ? deny : left(deny)), ...run.deny],
    ask: [...left(ask), ...unsaid.flat(), ...run.ask],
    allow: [...(run.strict ? [] : left(allow)), ...run.allow],
  };
}

/** For the runs of someone who may not approve: nor may they use what another one allowed in the session, or undo what it denied. */
export function withoutAllow(rules: RunRules | undefined): RunRules {
  return { deny: rules?.deny ?? [], ask: rules?.ask ?? [], allow: [], strict: true };
}

const keysOf = (...lists: Rule[][]) => new Set(lists.flat().map(keyOf));

const keyOf = ({ tool, command, command_glob, skill_name }: Rule) =>
  JSON.stringify([tool, command, command_glob, skill_name]);

/** What holds in a workspace, from every place that has a say. */
export interface Permissions extends Rules {
  trusted: boolean;
}

/** Where rules are kept. */
export interface RuleBook {
  /** Fails rather than leave a rule out: a deny rule that cannot be read would be an allow. */
  read(workspace: string): Promise<Permissions>;
  /** For this workspace, from now on, in every session. Resolves when it is on disk. */
  remember(workspace: string, verdict: "allow" | "deny", rules: Rule[]): Promise<void>;
}

/** Where nobody keeps rules: reading goes without saying, everything else is asked about each time. */
export const noRules: RuleBook = {
  read: async () => ({ trusted: false, allow: [], deny: [] }),
  remember: async () => {
    throw new DragomanError("tool_failed", "there is no place for rules here.");
  },
};
