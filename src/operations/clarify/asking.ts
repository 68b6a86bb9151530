import type { SpecDocument } from "../spec-document.ts";
import { criterionChoices, scenarioChoices } from "./asking-choices.ts";
import { askMark, GENERIC } from "./asking-marks.ts";
import type { Finding } from "./finding.ts";
import { gaps } from "./gaps.ts";
import { quoted, whereOf } from "./quoting.ts";
import { type Choice, choice, durations, LEAVE_OUT, subjectOf } from "./subjects.ts";
import { vagueChoices } from "./vague-choices.ts";
import type { VagueTopic } from "./vague-words.ts";

/** What is asked about a finding. `core` names no line, so that it is found again when the document has moved. */
export interface Asked {
  core: string;
  affects: string;
  choices: readonly Choice[];
}

type Asker = (finding: Finding, rest: string, spec: SpecDocument) => Asked;

/** By the first word of the topic. */
const askers: Record<string, Asker> = {
  vague: (finding, rest) => {
    const { ask, affects, choices } = vagueChoices[rest as VagueTopic] ?? vagueChoices.quality;
    return {
      core: ask((finding.words ?? "").replace(/^(?:be|is|are) /i, ""), whereOf(finding)),
      affects,
      choices: choices(finding.words ?? "", finding.place.quote),
    };
  },
  gap: (_, rest) => {
    const gap = gaps.find((one) => one.topic === rest);
    return { core: gap?.question ?? rest, affects: gap?.affects ?? "", choices: gap?.choices ?? [] };
  },
  marked: askMark,
  question: askMark,
  criterion: (finding) => ({
    core: criterionQuestion(finding),
    affects: "whether anybody can say that the feature succeeded",
    choices: criterionChoices(finding.words ?? ""),
  }),
  number: numbers,
  opposite: statements,
  denied: statements,
  reserved: statements,
  field: statements,
  exclusive: statements,
  scope: (finding) => ({
    core: `Is "${finding.topic?.slice("scope-".length).replace(/\.$/, "")}" part of this version?`,
    affects: "the scope: one part of the spec excludes what another demands",
    choices: [
      choice("No, it stays out of scope", "What was left out on purpose stays out."),
      choice("Yes, it is part of this version"),
    ],
  }),
  order: (finding, _rest) => {
    const [high = "P1", low = "P3"] = finding.values ?? [];
    const [story = "", other = ""] = (finding.topic ?? "")
      .split("-")
      .slice(1)
      .map((id) => `User Story ${id.slice(2)}`);
    return {
      core: `${story} is ${high} and needs ${other}, which is ${low}: which of the two changes?`,
      affects: "the order in which the stories are built",
      choices: [choice(`${other} becomes ${high}`, "What others need comes first."), choice(`${story} becomes ${low}`)],
    };
  },
  doubled: (_, rest) => ({
    core: `Which statement keeps the id ${rest}?`,
    affects: "every task and test that refers to it",
    choices: [
      choice("The first one; the second gets the next free id", "References most likely mean the first."),
      choice(`They are one ${/^US\d+$/.test(rest) ? "story" : "requirement"}: only the first holds`),
    ],
  }),
  dangling: (_, rest, spec) => ({
    core: `What does the reference to ${rest} mean?`,
    affects: "a requirement that may be missing",
    choices: [
      ...nearest(rest, spec).map((id) => choice(id)),
      choice("a requirement that is still to be written"),
      choice("nothing any more"),
    ].slice(0, 5),
  }),
  placeholder: (finding) => ({
    core: `What belongs in the place of "${quoted(finding.words ?? "", 80)}" in ${whereOf(finding)}?`,
    affects: "the scope: the template's words decide nothing",
    choices: placeholderChoices(finding),
  }),
  scenario: (finding, _rest, spec) => ({
    core: `When is ${whereOf(finding)} "${quoted(finding.place.quote, 80)}" done?`,
    affects: "how the story is accepted and tested",
    choices: scenarioChoices(finding.place.quote, spec.stories.find((one) => one.id === finding.owner)?.text ?? ""),
  }),
  priority: (finding) => ({
    core: `Which priority has ${whereOf(finding)} "${quoted(finding.place.quote, 80)}"?`,
    affects: "what is built first, and what can be dropped",
    choices: [choice("P2", "Important, but the first release works without it."), choice("P1"), choice("P3")],
  }),
  requirements: () => ({
    core: "What is the first thing that the system must do?",
    affects: "everything: without requirements there is nothing to plan",
    choices: [
      choice(
        "System MUST let users do what the stories describe, and nothing more",
        "The stories are then the requirements.",
      ),
      choice("The requirements are written first, and it is clarified again"),
    ],
  }),
  stories: () => ({
    core: "Who uses it first, and for what?",
    affects: "priorities and acceptance: nothing says for whom it is",
    choices: [
      choice("End users of the product, by themselves", "The usual case."),
      choice("Staff inside the organization"),
      choice("Other systems, by an API"),
    ],
  }),
  criteria: () => ({
    core: "How will one see that it succeeded?",
    affects: "whether anybody can say that it is done",
    choices: [
      choice("90% of users finish the main task without help", "Can be measured with a handful of people."),
      choice("The main task takes under 2 minutes"),
      choice("Support requests on it fall by 50%"),
    ],
  }),
  edge: (finding, rest) => (rest === "answer" ? edgeAnswer(finding) : edgeCases()),
  untold: (finding) => ({
    core: `What must the system do for ${whereOf(finding)} "${quoted(finding.place.quote, 80)}"?`,
    affects: "the scope: no requirement speaks of this story",
    choices: [
      choice(`System MUST let users do this: ${quoted(finding.place.quote, 80)}`, "As the story's title has it."),
      LEAVE_OUT,
    ],
  }),
  empty: () => whatFor("What is to be built?"),
  no: () => whatFor("Which feature is this text to specify?"),
};

function criterionQuestion(finding: Finding): string {
  const [where, words] = [whereOf(finding), quoted(finding.words ?? "")];
  return where.startsWith('"') ? `By which number is "${words}" met?` : `By which number is ${where} met: "${words}"?`;
}

function numbers(finding: Finding): Asked {
  const values = [...new Set(finding.values ?? [])];
  return {
    core: `Which holds in ${whereOf(finding)}: "${values.join('" or "')}"?`,
    affects: "the limit that is built and tested: two statements give different numbers for it",
    choices: values.map((value) => choice(value, `As line ${lineWith(finding, value)} has it.`)),
  };
}

const lineWith = ({ sides = [] }: Finding, value: string): number | string =>
  sides.find((side) => side.value === value)?.place.line ?? "?";

function statements(finding: Finding): Asked {
  const [first = "", second = ""] = finding.values ?? [];
  return {
    core: `Which of the two holds: "${quoted(first)}" or "${quoted(second)}"?`,
    affects: "what is built: the two cannot both be true",
    choices: [
      choice(quoted(first), `As line ${finding.other?.line ?? "?"} has it.`),
      choice(quoted(second), `As line ${finding.place.line} has it.`),
    ],
  };
}

function edgeAnswer(finding: Finding): Asked {
  const subject = subjectOf(finding.words ?? "");
  const generic = [
    choice(
      "A message says what is wrong and what to do, and nothing is changed",
      "Nothing happens behind the user's back.",
    ),
    choice("It is retried in the background, and the user is told the outcome"),
    choice("It cannot happen, because it is prevented before"),
  ];
  const useful = subject && /^(?:concurrency|failure)$/.test(subject.name) ? subject.choices : generic;
  return {
    core: quoted(finding.words ?? "", 300),
    affects: "what people see when it happens: the edge case asks and nothing answers",
    choices: useful,
  };
}

function edgeCases(): Asked {
  return {
    core: "What happens when something goes wrong: wrong input, a lost connection, a part that does not answer?",
    affects: "what people see when something breaks, and the tests for it",
    choices: [
      choice(
        "A message says what went wrong and what to do, and nothing is changed",
        "Nothing happens behind the user's back.",
      ),
      choice("It is retried in the background, and the user is told the outcome"),
      choice("What was entered is kept as a draft, and the user goes on later"),
    ],
  };
}

function whatFor(core: string): Asked {
  return {
    core,
    affects: "everything: there is nothing to plan from yet",
    choices: [
      choice("A new feature for the people who use the product", "Then say which in a sentence."),
      choice("A change to a feature that exists"),
      choice("Nothing: this document is no spec"),
    ],
  };
}

/** Where the placeholder stands for a length, a number or a way, what is usual there. */
function placeholderChoices(finding: Finding): readonly Choice[] {
  const words = finding.words ?? "";
  const examples = withExamples(words);
  if (examples.length > 0) return examples;
  const subject = subjectOf(finding.place.quote);
  if (/\b(?:how long|duration|time|period)\b/i.test(words)) return timed(subject?.choices) ?? durations;
  if (/^\[(?:X|N|Y|number|how many|amount|limit)\b/i.test(words)) return countChoices(finding.place.quote, words);
  return /^\[(?:format|currency|channel|method|provider|role)/i.test(words) ? (subject?.choices ?? []) : [];
}

/** A length of time is answered by lengths of time only. */
function timed(choices: readonly Choice[] | undefined): readonly Choice[] | undefined {
  return choices?.every(({ label }) => /^\d+ (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b/.test(label))
    ? choices
    : undefined;
}

/** A bare number, for the unit stands behind the gap. */
function countChoices(quote: string, words: string): Choice[] {
  const unit = /^\s*(\w+)/.exec(quote.slice(quote.indexOf(words) + words.length))?.[1] ?? "";
  const usual = /^(?:min|sec|hour)/i.test(unit) ? ["30", "15", "60"] : ["10", "5", "20", "50"];
  return usual.map((number, index) =>
    choice(number, index === 0 ? "A usual value; any other can be given." : undefined),
  );
}

/** What the template gives as an example; without one only the author can say it, and there is nothing to choose from. */
function withExamples(placeholder: string): Choice[] {
  const examples = [...placeholder.matchAll(/"([^"]{3,80})"/g)].map(([, words = ""]) =>
    choice(words, "The template's own example."),
  );
  return examples.length > 0 ? [...examples.slice(0, 2), choice("Nothing: leave this part out")] : [];
}

/** Ids of the same series whose number is nearest. */
function nearest(id: string, spec: SpecDocument): string[] {
  const [prefix, number] = [id.replace(/\d+$/, ""), Number(/\d+$/.exec(id)?.[0])];
  const distance = (one: string): number => Math.abs(Number(/\d+$/.exec(one)?.[0]) - number);
  const ids = [...spec.requirements, ...spec.criteria].map((one) => one.id).filter((one) => one.startsWith(prefix));
  return [...new Set(ids)].sort((a, b) => distance(a) - distance(b)).slice(0, 2);
}

/** What to ask about a finding; one that rules did not make (it has no topic) is asked in its own words. */
export function askingOf(finding: Finding, spec: SpecDocument): Asked {
  const [kind = "", ...rest] = (finding.topic ?? "").split("-");
  const asker = askers[kind];
  if (asker) return asker(finding, rest.join("-"), spec);
  const subject = subjectOf(`${finding.message} ${finding.place.quote}`);
  return {
    core: /\?\s*$/.test(finding.message)
      ? finding.message
      : `${finding.message.replace(/[.\s]+$/, "")}. What is decided?`,
    affects: subject?.affects ?? "what is built and how it is tested",
    choices: subject?.choices ?? GENERIC,
  };
}
