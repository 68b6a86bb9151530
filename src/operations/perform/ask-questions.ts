import { LONGEST_OWN_WORDS } from "../../core/asks.ts";
import type { AskReply, EngineIO } from "../../core/engine.ts";
import { LEFT_OPEN_ITEM, OWN_WORDS_ITEM, type Question } from "../../core/events.ts";
import { GENERIC } from "../clarify/asking-marks.ts";
import { cleanAnswer } from "../clarify/clean-answer.ts";
import type { ClarifyQuestion } from "../clarify/index.ts";

const ASK_MS = 60 * 60 * 1000;

/** What came of a question. */
export interface Asked {
  question: ClarifyQuestion;
  /** In the words of the option, or in the person's own. */
  answer?: string;
}

export interface Asking {
  asked: Asked[];
  /** There was no one who could have answered. */
  nobody: boolean;
}

/**
 * Puts all questions at once, so that they can be answered in any order and by several people. Their own words come with the answer;
 * those who could only say that it is something else, since their protocol has no place for a text, are asked for them afterwards.
 * Nothing else is done meanwhile: a run that waits here can go on in another process.
 */
export async function askQuestions(io: EngineIO, path: string, questions: ClarifyQuestion[]): Promise<Asking> {
  const picked = await Promise.all(questions.map((question) => io.ask(pick(question, path), ASK_MS)));
  const given = questions.map((question, index) => ({ question, ...pickedIn(picked[index]) }));
  const asked = await Promise.all(given.map(({ question, ...said }) => answerTo(io, question, path, said)));
  return { asked, nobody: picked.length > 0 && picked.every(({ outcome }) => outcome === "denied") };
}

interface Picked {
  id?: string;
  text?: string;
}

async function answerTo(io: EngineIO, question: ClarifyQuestion, path: string, { id, text }: Picked): Promise<Asked> {
  if (text !== undefined) return inOwnWords(question, text);
  if (id === OWN_WORDS_ITEM) return inOwnWords(question, wordsIn(await io.ask(ownWords(question, path), ASK_MS)));
  const label = question.options.find((option) => option.id === id)?.label;
  return label === undefined ? { question } : { question, answer: label };
}

/** As the document gets it, so that the result says what is written there: one line of a list. */
function inOwnWords(question: ClarifyQuestion, text: string): Asked {
  // Where it can, the protocol refuses what is longer; else it is cut and ends in an ellipsis. It may be very much longer.
  const answer = cleanAnswer(text.slice(0, 2 * LONGEST_OWN_WORDS));
  return answer === "" ? { question } : { question, answer };
}

function pick(question: ClarifyQuestion, path: string): Question {
  return {
    kind: "pick",
    title: question.question,
    message: isOpen(question) ? `${messageOf(question, path)}\n${INVITATION}` : messageOf(question, path),
    items: [
      ...question.options.map(({ id, label, detail }) => ({ id, label, ...(detail !== undefined && { detail }) })),
      { id: OWN_WORDS_ITEM, label: "Something else", detail: "you say what" },
      { id: LEFT_OPEN_ITEM, label: "Leave it open" },
    ],
    source: sourceOf(question, path),
    allowText: true,
  };
}

const INVITATION = "Pick one, or say it in your own words.";

/** It asks for a value that no rule can guess: an amount, a limit, a provider. The options are those of any question. */
const isOpen = ({ options }: ClarifyQuestion) =>
  options.every(({ label }) => GENERIC.some((generic) => generic.label === label));

function ownWords(question: ClarifyQuestion, path: string): Question {
  return {
    kind: "prompt",
    title: `In your own words: ${question.question}`,
    message: messageOf(question, path),
    source: sourceOf(question, path),
  };
}

function messageOf({ context, place }: ClarifyQuestion, path: string): string {
  const quote = place.quote === "" ? "" : `: "${place.quote}"`;
  return `Context: ${context}\n${path}:${place.line}${quote}`;
}

const sourceOf = ({ place }: ClarifyQuestion, path: string) => ({ path, line: place.line, quote: place.quote });

function pickedIn(reply: AskReply | undefined): Picked {
  if (reply?.outcome !== "answered" || !("ids" in reply.answer)) return {};
  const { ids, text } = reply.answer;
  return { id: ids[0], text };
}

function wordsIn(reply: AskReply): string {
  return reply.outcome === "answered" && "value" in reply.answer ? (reply.answer.value ?? "") : "";
}
