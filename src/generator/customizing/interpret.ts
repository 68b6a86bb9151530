import type { Resource } from "../kit/descriptor.ts";
import { stems } from "./nearness.ts";
import { hasWords, inQuotes, type Talk } from "./phrases.ts";
import { byRules, type Rule } from "./rule.ts";
import { columnRules, plainColumnRules } from "./rules/columns.ts";
import { actionRules, doingRules } from "./rules/doing.ts";
import { fieldRules } from "./rules/fields.ts";
import { listRules } from "./rules/lists.ts";
import { lookRules } from "./rules/look.ts";
import { navigationRules } from "./rules/navigation.ts";
import { rowRules } from "./rules/rows.ts";
import { declined, type Option, type Question, together, type Understood } from "./understood.ts";
import type { Vocabulary } from "./vocabulary.ts";

// What a request in a person's words means for an interface, without a model: by rules, the plainest kinds of request first.

export interface Said {
  role: "user" | "assistant";
  content: string;
}

/** Longer requests are no single wish. */
const LONGEST = 300;

const rules: Rule[] = [
  ...doingRules,
  ...lookRules,
  ...rowRules,
  ...listRules,
  ...navigationRules,
  ...columnRules,
  ...fieldRules,
  ...actionRules,
  ...plainColumnRules,
];

/**
 * An answer to a question of ours goes on from there: the question is thought through again from what was said before, so that the
 * words of the history are all that is needed.
 */
export function interpret(prompt: string, history: Said[], vocabulary: Vocabulary): Interpreted {
  const asked = openQuestion(history, vocabulary);
  const picked = asked && optionPicked(asked.question, prompt);
  if (picked) return { said: `${asked.said} (${picked.label})`, understood: picked.goOn() };
  const talk = { vocabulary, everywhere: false, recent: recentResource(history, vocabulary) };
  return { said: prompt.trim(), understood: requestMeant(prompt, talk) };
}

export interface Interpreted {
  /** What was asked for, with the answers to what was asked back. */
  said: string;
  /** None: nothing could be made of it. */
  understood?: Understood;
}

/** The question that the last words of the history are. */
function openQuestion(history: Said[], vocabulary: Vocabulary): { said: string; question: Question } | undefined {
  const [request, reply] = history.slice(-2);
  if (request?.role !== "user" || reply?.role !== "assistant") return undefined;
  const { said, understood: question } = interpret(request.content, history.slice(0, -2), vocabulary);
  return question?.kind === "question" && reply.content.includes(question.question) ? { said, question } : undefined;
}

const places = ["first", "second", "third", "fourth", "fifth", "sixth"];

/** By its words, its number or its place. */
export function optionPicked({ options }: Question, prompt: string): Option | undefined {
  if (prompt.length > LONGEST) return undefined;
  const text = cleaned(prompt).toLowerCase();
  const exact = options.find(({ label }) => label.toLowerCase() === text);
  if (exact) return exact;
  const number = /^(?:option |number |no\.? ?)?(\d{1,2})$/.exec(text)?.[1];
  if (number) return options[Number(number) - 1];
  const place = places.findIndex((word) => new RegExp(`^(?:the )?${word}(?: one| option)?$`).test(text));
  if (place >= 0) return options[place];
  if (/^(?:the )?last(?: one| option)?$/.test(text)) return options.at(-1);
  if (/^(?:both|all|all of (?:them|these)|everywhere|every one|each)(?: of (?:them|these))?(?: please)?$/.test(text)) {
    return options.find(({ label }) => /^(?:Both|All \d+ of them)$/.test(label));
  }
  const said = stems(
    text.replace(/^(?:the one )?(?:in|on|for|of|i mean|i meant) /, "").replace(/ (?:list|table|one|page)$/, ""),
  );
  const like = options.filter(({ label }) => said.length > 0 && said.every((word) => stems(label).includes(word)));
  return like.length === 1 ? like[0] : undefined;
}

/** The one resource that a person's last request named. */
function recentResource(history: Said[], vocabulary: Vocabulary): Resource | undefined {
  const last = history.findLast(({ role }) => role === "user")?.content ?? "";
  const words = last.slice(0, LONGEST).split(/[^\p{L}\p{N}]+/u);
  const named = vocabulary.resources.filter(({ name, plural }) =>
    [name, plural].some((one) =>
      isWithin(
        one.toLowerCase().split(" "),
        words.map((word) => word.toLowerCase()),
      ),
    ),
  );
  return named.length === 1 ? named[0] : undefined;
}

const isWithin = (few: string[], many: string[]) =>
  many.some((_, start) => few.every((word, at) => many[start + at] === word));

/** Its parts, if each of them is a request of its own; else the whole. Undefined: nothing of it is known. */
function requestMeant(prompt: string, talk: Talk): Understood | undefined {
  if (prompt.length > LONGEST || !hasWords(prompt)) return undefined;
  const { text, everywhere } = withoutPlace(cleaned(prompt));
  const place = { ...talk, everywhere: talk.everywhere || everywhere };
  return inParts(text, place) ?? byRules(rules, text, place);
}

const joints = /\s*(?:;|\.\s|,?\s+(?:and|but)\s+(?:then\s+|also\s+)?|,\s*(?:then\s+|also\s+)?)\s*/gi;

/** At the first joint where both sides mean something. */
function inParts(text: string, talk: Talk): Understood | undefined {
  for (const { index, 0: joint } of text.matchAll(joints)) {
    const first = byRules(rules, cleaned(text.slice(0, index)), talk);
    if (!first || first.kind === "declined") continue;
    const second = requestMeant(text.slice(index + joint.length), talk);
    if (second && second.kind !== "declined") return together(first, () => second);
  }
  return undefined;
}

const opening =
  /^(?:(?:hi|hello|hey|ok|okay|so|well|now|then|also|and|please|pls|kindly|just(?! (?:show|display|list|have|keep|the|name))|maybe|perhaps|(?:could|can|would|will) (?:you|we|i)(?: please)?|i(?:'d| would) (?:like|love|want|prefer)(?: it)?(?: if you)?(?: you)?(?: to)?(?: (?:see|have))?|i (?:want|need|wish|prefer)(?: you| it| this)?(?: to)?(?: (?:see|have))?|we (?:want|need|would like|should)(?: to)?|you (?:should|could|can)|let'?s|make sure(?: that)?(?: (?:you|to))?|it would be (?:nice|great|good) (?:if you could|to)|is it possible to|how (?:do|can) i|try to|go ahead and|for me)[,:!]?\s+)+/i;
const closing =
  /(?:[\s,]+(?:please|pls|thanks|thank you|thx|for me|now|if possible|if you can|ok|okay|right|by default))+$/i;
const unwanted =
  /^(?:i |we )?(?:don'?t|do not|never) (?:want|need|like|care)(?: to)?(?: (?:see|have|show|about|any))*\s+/i;

const onlyWanted = /^(?:i|we) (?:only|just) (?:want|need|care)(?: to)?(?: (?:see|have|about))?\s+/i;

/** Without what is polite and says nothing. */
function cleaned(text: string): string {
  let rest = text.replace(/[‘’]/g, "'").replace(/\s+/g, " ").trim();
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest
      .replace(/[\s.!?…,]+$/u, "")
      .replace(closing, "")
      .replace(unwanted, "hide ")
      .replace(onlyWanted, "only show ")
      .replace(opening, "")
      .trim();
  }
  return rest;
}

const everyPlace =
  "(?:everywhere|throughout(?: the (?:app|interface))?|(?:in|on|for) (?:all|every|each)(?: of)?(?: the)? ?(?:lists?|tables?|resources?|pages?|places?|views?|records?))";

/** "Everywhere" holds for whatever is asked for. */
function withoutPlace(text: string): { text: string; everywhere: boolean } {
  const rest = text.replace(new RegExp(`^${everyPlace},? `, "i"), "").replace(new RegExp(`,? ${everyPlace}$`, "i"), "");
  return { text: rest, everywhere: rest !== text };
}

/** What is said to words that nothing could be made of. */
export function notUnderstood(prompt: string, vocabulary: Vocabulary): Understood {
  const [resource] = vocabulary.lists.length > 0 ? vocabulary.lists : vocabulary.resources;
  const field = resource?.fields.find(({ name }) => resource.columns.includes(name) && name !== resource.key?.field);
  const many = resource?.plural.toLowerCase() ?? "the list";
  const examples = [
    `show ${many} as cards`,
    ...(field ? [`hide the ${field.label.toLowerCase()} column`, `sort ${many} by ${field.label.toLowerCase()}`] : []),
    "20 per page",
    "dark mode",
  ];
  return declined(
    `Sorry, I could not make anything of ${inQuotes(prompt)}. You can say, for example: ${examples.map((one) => `“${one}”`).join(", ")}.`,
  );
}
