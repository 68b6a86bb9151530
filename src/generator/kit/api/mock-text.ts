import { nameWords } from "./format.ts";
import { hasNames, singularWord, subjectName } from "./mock-names.ts";
import { isNumeric, plausibleNumber } from "./mock-numbers.ts";
import { sourceOfPart, type TextSource } from "./mock-source.ts";
import { codeText } from "./mock-text-makers.ts";
import { type TextRule, textRules } from "./mock-text-rules.ts";
import { plainWords } from "./mock-words.ts";

const rulesByName = new Map<string, TextRule | undefined>();

function textRuleFor(name: string): TextRule | undefined {
  if (!rulesByName.has(name)) {
    const all = nameWords(name);
    const text = ` ${[...all.slice(0, -1), ...all.slice(-1).map(singularWord)].join(" ")} `;
    rulesByName.set(
      name,
      textRules.find(([pattern]) => pattern.test(text)),
    );
  }
  return rulesByName.get(name);
}

/** A text that a field of this name could hold. */
export function plausibleText(name: string, source: TextSource): string {
  const rule = textRuleFor(name);
  if (rule) return rule[1](source, name);
  const last = nameWords(name).at(-1) ?? "";
  if (hasNames(last)) return subjectName({ ...sourceOfPart(source, name), subject: [last] });
  if (!isNumeric(name, source.subject)) return source.dice.pick(plainWords);
  const number = { name, label: name, kind: "number" } as const;
  return String(plausibleNumber(number, source.dice, source.subject));
}

/** Whether a name says nothing about how the texts look that stand under it. */
export function isUntelling(name: string, subject: string[]): boolean {
  const rule = textRuleFor(name);
  if (!rule) return !isNumeric(name, subject);
  return rule[1] === codeText || /^(ids?|key|status)$/.test(nameWords(name).at(-1) ?? "");
}
