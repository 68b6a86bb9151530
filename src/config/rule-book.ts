import { sameRule } from "../core/policy.ts";
import type { Permissions, Rule, RuleBook } from "../core/rules.ts";
import { readSources } from "./sources.ts";
import { changeRecord, realWorkspace } from "./workspace-record.ts";

export interface RuleBookOptions {
  /** Dragoman's data folder. */
  home: string;
}

/** The rules that are on disk: the user's, those remembered for the workspace, and of the project what its trust admits. */
export function fileRuleBook({ home }: RuleBookOptions): RuleBook {
  return {
    read: (workspace) => readPermissions(workspace, home),
    async remember(workspace, verdict, rules) {
      await changeRecord(home, await realWorkspace(workspace), (record) => {
        const kept = record[verdict];
        const all = rules.reduce(withRule, kept);
        return all === kept ? record : { ...record, [verdict]: all };
      });
    },
  };
}

// Read anew each time: whoever takes a rule away means it now, and three small files cost less than any tool.
async function readPermissions(workspace: string, home: string): Promise<Permissions> {
  const { project, user, record, trust } = await readSources({ workspace, home });
  const projectAllow = trust.trusted ? (project?.config.policy?.allow ?? []) : [];
  return {
    trusted: trust.trusted,
    allow: [...(user?.config.policy?.allow ?? []), ...record.allow, ...projectAllow],
    deny: [...(user?.config.policy?.deny ?? []), ...record.deny, ...(project?.config.policy?.deny ?? [])],
  };
}

/** The same list when the rule is in it already. */
function withRule(rules: Rule[], added: Rule): Rule[] {
  return rules.some((rule) => sameRule(rule, added)) ? rules : [...rules, added];
}
