import { type Choice, choice, subjectOf } from "./subjects.ts";
import type { VagueTopic } from "./vague-words.ts";

export interface Asking {
  /** Complete with the quoted word and the place it stands in. */
  ask: (word: string, where: string) => string;
  affects: string;
  choices: (words: string, quote: string) => readonly Choice[];
}

const fixed =
  (...choices: Choice[]) =>
  () =>
    choices;

/** What is asked where a word is vague, and what is usually meant by it. */
export const vagueChoices: Record<VagueTopic, Asking> = {
  speed: {
    ask: (word, where) => `What time does "${word}" stand for in ${where}?`,
    affects: "the architecture and the load tests: it decides whether results may be computed while the user waits",
    choices: times,
  },
  ease: {
    ask: (word, where) => `How would one see that it is "${word}" in ${where}?`,
    affects: "the design and how it is accepted: without a measure everybody is right",
    choices: fixed(
      choice("90% of first-time users finish the main task without help", "Can be tested with a handful of people."),
      choice("the main task takes at most 3 steps"),
      choice("the main task takes under 2 minutes"),
    ),
  },
  reliability: {
    ask: (word, where) => `What must hold for it to be "${word}" in ${where}?`,
    affects: "hosting, redundancy and what operators promise",
    choices: fixed(
      choice("99.9% uptime per month and no confirmed data lost", "About 43 minutes of downtime a month."),
      choice("99.5% uptime per month"),
      choice("no data is lost when a part fails, but it may be down for a time"),
    ),
  },
  scale: {
    ask: (word, where) => `Which numbers does "${word}" stand for in ${where}?`,
    affects: "sizing, limits and the load tests",
    choices: fixed(
      choice("1,000 users at the same time", "Needs care, and no special architecture."),
      choice("100 users at the same time"),
      choice("10,000 users at the same time"),
    ),
  },
  protection: {
    ask: (word, where) => `What makes it "${word}" in ${where}?`,
    affects: "key management, access checks and the security tests",
    choices: fixed(
      choice("TLS in transit, AES-256 at rest, access by role", "What most reviews ask for."),
      choice("TLS in transit, and access only after sign-in"),
      choice("end-to-end encryption: only the people concerned can read it"),
    ),
  },
  handling: {
    ask: (word, where) => `What exactly happens where ${where} says "${word}"?`,
    affects: "what people see when something breaks, and the tests for it",
    choices: fixed(
      choice(
        "a message says what went wrong and what to do, and nothing is changed",
        "Nothing happens behind the user's back.",
      ),
      choice("it is retried 3 times in the background, then a message is shown"),
      choice("it is logged, and the user goes on without it"),
    ),
  },
  extent: {
    ask: (word, where) => `What belongs to "${word}" in ${where}, and what does not?`,
    affects: "how much is built: the list is the scope",
    choices: (words) =>
      subjectOf(words)?.choices ?? [
        choice("only what the spec names", "The smallest scope that can be tested."),
        choice("everything of that kind that the product has today"),
        choice("whatever an administrator configures"),
      ],
  },
  amount: {
    ask: (word, where) => `Which number does "${word}" stand for in ${where}?`,
    affects: "limits, messages and the tests of the boundary",
    choices: amounts,
  },
  frequency: {
    ask: (word, where) => `How often is "${word}" in ${where}?`,
    affects: "how current the data is, and the load it causes",
    choices: fixed(
      choice("once a day", "Enough for most reports and clean-ups."),
      choice("every hour"),
      choice("every 5 minutes"),
      choice("once a week"),
    ),
  },
  commitment: {
    ask: (word, where) => `${where} says "${word}": does it have to be built?`,
    affects: "the scope of this version",
    choices: fixed(
      choice("no, not in this version", "What nobody insists on can follow."),
      choice("yes, it is required"),
      choice("yes, and it may be the first thing to be dropped"),
    ),
  },
  quality: {
    ask: (word, where) => `By what is "${word}" measured in ${where}?`,
    affects: "how it is accepted",
    choices: fixed(
      choice("at least 80% of users rate it 4 of 5 or better", "A short survey shows it."),
      choice("at least 90% of cases are right, on an agreed sample"),
      choice("no worse than today"),
    ),
  },
  access: {
    ask: (word, where) => `Who or what counts as "${word}" in ${where}?`,
    affects: "every query and every check of who may see what",
    choices: fixed(
      choice("those the user owns or was given access to", "What people expect to see, and nothing more."),
      choice("only those the user owns"),
      choice("all in the user's organization"),
    ),
  },
};

/** People take days where machines take seconds. */
function times(words: string, quote: string): readonly Choice[] {
  const byPeople = /\b(?:timely|prompt\w*|as soon as possible|asap|reasonable)\b/i.test(words);
  if (
    byPeople &&
    /\b(?:refund|review|approv|deliver|repl|answer|ticket|order|request|complain|claim|payment|support)/i.test(quote)
  ) {
    return [
      choice("within 1 working day", "What most people accept."),
      choice("within 1 hour"),
      choice("within 5 working days"),
    ];
  }
  return [
    choice("under 1 second", "What people still feel as one step."),
    choice("under 200 ms", "Feels immediate; costs more."),
    choice("under 3 seconds"),
    choice("under 10 seconds, with progress shown"),
  ];
}

function amounts(words: string): readonly Choice[] {
  if (/^too many requests/i.test(words))
    return [
      choice("more than 60 per minute", "Enough for a person, too little for a script."),
      choice("more than 10 per minute"),
      choice("more than 1,000 per hour"),
    ];
  if (/^too many/i.test(words))
    return [choice("more than 5", "Forgives a few."), choice("more than 3"), choice("more than 10")];
  if (/\b(?:fee|charge|discount)\b/i.test(words))
    return [
      choice("10% of the price", "Grows with what is at stake."),
      choice("a fixed amount", "Name it in the answer."),
      choice("none in this version"),
    ];
  if (/attempts?|tries|retries|times|failures?/i.test(words))
    return [choice("5", "Forgives typing errors and stops guessing."), choice("3"), choice("10")];
  if (/period|while|time|days|weeks|months|recent|latest|old/i.test(words)) {
    return [
      choice("30 days", "A month is what people remember."),
      choice("7 days"),
      choice("90 days"),
      choice("1 year"),
    ];
  }
  if (/minutes|seconds|hours|soon/i.test(words))
    return [
      choice("15 minutes", "Short enough to wait for."),
      choice("5 minutes"),
      choice("1 hour"),
      choice("24 hours"),
    ];
  if (/threshold|limit|quota|range/i.test(words)) {
    return [
      choice("set by an administrator, with a default", "Differs from place to place."),
      choice("set by each user"),
      choice("one fixed value for all", "Name it in the answer."),
    ];
  }
  if (/significant|substantial|considerable|dramatic|noticeable|measurable/i.test(words)) {
    return [
      choice("by at least 20%", "Large enough to be seen in the numbers."),
      choice("by at least 10%"),
      choice("by at least 50%"),
    ];
  }
  return [
    choice("at most 10", "Fits a screen and a test."),
    choice("at most 50"),
    choice("at most 100"),
    choice("no limit"),
  ];
}
