import { AS_A } from "../spec-document-stories.ts";
import { quoted } from "./quoting.ts";
import { type Choice, choice } from "./subjects.ts";

/** Measures that fit what the criterion speaks of. */
export function criterionChoices(text: string): Choice[] {
  if (/\b(?:faster|quicker|sooner|shorter|cheaper|better|easier)\b.{0,20}\bthan\b/i.test(text)) {
    return [
      choice("the median falls by 50% within 3 months", "Against the month before release."),
      choice("the median falls by 30% within 3 months"),
      choice("the median falls by 20% within 6 months"),
    ];
  }
  if (/\b(?:fast|quick|speed|performan|respons|load|time|instant|second|delay)\w*/i.test(text)) {
    return [
      choice("in under 2 seconds for 95% of requests", "A common promise that can be measured."),
      choice("in under 1 second for 95% of requests"),
      choice("in under 5 seconds for 95% of requests"),
    ];
  }
  if (/\b(?:satisf|happy|love|enjoy|like|experience|rating|feedback)\w*/i.test(text)) {
    return [
      choice("at least 80% rate it 4 of 5 or better", "A short survey shows it."),
      choice("a net promoter score of 40 or more"),
      choice("no more than 2% complain"),
    ];
  }
  if (/\b(?:adopt|engag|use[ds]?|usage|users|active|popular|sign)\w*/i.test(text)) {
    return [
      choice("60% of active users use it within 3 months", "Can be counted."),
      choice("30% within 3 months"),
      choice("80% within 6 months"),
    ];
  }
  if (/\b(?:reliab|stab|uptime|availab|crash|error)\w*/i.test(text))
    return [
      choice("99.9% uptime per month"),
      choice("99.5% uptime per month"),
      choice("fewer than 1 error in 1,000 requests"),
    ];
  if (/\b(?:reduc|decreas|fewer|less|lower|sav|drop|fall|shrink)\w*/i.test(text))
    return [
      choice("by 50% within 3 months", "Against the month before release."),
      choice("by 30% within 3 months"),
      choice("by 20% within 6 months"),
    ];
  return [
    choice("90% of users finish the main task without help", "Can be tested with a handful of people."),
    choice("90% finish it at the first attempt in under 2 minutes"),
    choice("no support request on it in the first month"),
  ];
}

/** Scenarios that the story itself suggests. */
export function scenarioChoices(title: string, told: string): Choice[] {
  const done = quoted(title, 80);
  const who = AS_A.exec(told);
  const [want = "", why] = who ? told.slice(who.index + who[0].length).split(/,?\s+so that\s+/i) : [];
  const own =
    who &&
    why &&
    `Given ${/^[aeiou]/i.test(who[1] ?? "") ? "an" : "a"} ${who[1]}, When they ${bareWish(want)}, Then ${bareWish(why).replace(/\bI\b/g, "they")}`;
  return [
    ...(own ? [choice(own, "What the story itself promises.")] : []),
    choice(
      `Given the user may do it, When the user does "${done}", Then the result is shown and is still there after a reload`,
      "The plain good case; more can be added.",
    ),
    choice(
      `Given wrong input, When the user tries "${done}", Then a message says what is wrong and nothing is changed`,
    ),
    choice("The story is left out of this version"),
  ];
}

function bareWish(text: string): string {
  return text
    .replace(/^\s*to\s+/, "")
    .replace(/\bmy\b/g, "their")
    .replace(/[.\s]+$/, "");
}
