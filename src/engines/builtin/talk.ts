import { type Action, done } from "./action.ts";
import { bulleted, code } from "./answer.ts";
import type { Family } from "./family.ts";
import { wording } from "./wording.ts";

/** What this engine is, what it can do, and how to get one that can do more. */
export function capabilities(families: Family[]): string {
  // Narrow requests are tried first; the wide ones are what most people begin with.
  const items = families.map(({ can, examples }) => `${can}: ${examples.map(code).join(", ")}`).reverse();
  return [
    `${I_AM} This is what I can do in the workspace:`,
    bulleted(items),
    `With the documents of a feature: ${OPERATIONS.map(code).join(", ")}.`,
    `Several requests in one go work too, as in ${code("list the Markdown files, then show git status")}.`,
    CONNECT,
  ].join("\n\n");
}

const I_AM = "I am the built-in engine: I follow rules, without a model.";
/** These are done for every engine (see operating.ts), and so for this one. */
const OPERATIONS = ["clarify specs/001-login/spec.md", "plan 001-login", "analyze 001-login"];
const MOST_EXAMPLES = 3;

/** Instead of all that could be said: a few requests that have most in common with what was said. */
export function nearestTo(said: string, families: Family[]): string {
  const words = wordsIn(said);
  const inCommon = (example: string) => [...wordsIn(example)].filter((word) => words.has(word)).length;
  const examples = families.flatMap((family) => family.examples).reverse();
  const near = examples.filter((example) => inCommon(example) > 0).sort((a, b) => inCommon(b) - inCommon(a));
  const shown = [...new Set([...near, ...FIRST_EXAMPLES])].slice(0, MOST_EXAMPLES);
  return [
    `I cannot do that. ${I_AM} What I understand is of this kind:`,
    bulleted(shown.map(code)),
    `${code("help")} lists all of it. ${CONNECT}`,
  ].join("\n\n");
}

const FIRST_EXAMPLES = ["what is this project about?", "search for TODO in src", "run the tests"];
const UNTELLING = new Set("this that with from what where which does have there some about into make your".split(" "));

function wordsIn(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  return new Set(words.filter((word) => !UNTELLING.has(word)).map((word) => word.replace(/s$/, "")));
}

export const CONNECT = `For everything else connect an agent with a model behind it: start Dragoman with ${code("--engine <name>")}, or set ${code('"engine"')} in ${code("dragoman.json")}.`;

const say = (name: string, title: string, text: string, summary: string): Action => ({
  name,
  title,
  args: {},
  talk: name === "help" ? "answer" : "courtesy",
  run: async () => done(text, summary),
});

/** What is not work. It knows the other families, to tell of them. */
export function talk(families: Family[]): Family {
  return {
    name: "talk",
    can: "say what I can do",
    examples: ["help"],
    forms: [
      {
        pattern: wording`(?:help|help me|\?|h|usage|commands|examples|what can (?:you|i|this|it|dragoman)(?: all)? (?:do|ask|say)(?: here| for me)?|what do you (?:do|understand|know|offer|support)|how (?:does|do) (?:this|it|you) work|how (?:can|do) i use (?:this|you|it)|what are (?:you|your (?:capabilities|features|skills|commands))|who are you|what (?:requests|commands|things) (?:can|do) you (?:understand|do|know|support)|show (?:me )?(?:the )?(?:help|commands|examples)|list (?:the )?commands)`,
        make: () => say("help", "Say what I can do", capabilities(families), "What the built-in engine can do."),
      },
      {
        pattern: wording`(?:(?:show|tell|give|print|report|send)(?: me| us)?(?: back)? )?(?:the |its |their )?(?:results?|output|outcome|what (?:it says|comes out|happens))(?: (?:of|from) (?:it|that|them))?`,
        make: () =>
          say("result", "Tell the result", "Say what to do, too: what comes of it is in the answer.", "A hint."),
      },
      {
        pattern: wording`(?:hi|hello|hey|hiya|yo|howdy|good (?:morning|afternoon|evening|day)|greetings|moin|hallo)(?: there| dragoman| again| all| everyone)?`,
        make: () =>
          say("greeting", "Greet", `Hello. What shall I do? ${code("help")} lists what I can.`, "A greeting."),
      },
      {
        pattern: wording`(?:thanks|thank you|thx|ty|cheers|great|nice|cool|perfect|ok|okay|good|awesome|well done|good job)(?: so much| a lot| very much| dragoman| you| job| work)?(?:,? (?:thanks|thank you|dragoman))?`,
        make: () => say("thanks", "Answer thanks", "You are welcome.", "An answer to thanks."),
      },
    ],
  };
}
