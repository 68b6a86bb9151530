import type { Wish } from "../kit/customizing/customization.ts";

// What a request comes to: it is clear, or it needs an answer first, or it is beyond what can be done.

export type Understood = Clear | Question | Declined;

export interface Clear {
  kind: "clear";
  wishes: Wish[];
  /** What will be otherwise, in sentences without their full stops. */
  says: string[];
  /** What was taken for granted. */
  assumptions: string[];
}

export interface Question {
  kind: "question";
  question: string;
  options: Option[];
}

export interface Option {
  label: string;
  /** The request goes on from here. */
  goOn: () => Understood;
}

export interface Declined {
  kind: "declined";
  message: string;
}

/** What a part of a request means: one thing, one of several, or nothing that is there. */
export type Choice<Value> =
  | { kind: "sure"; value: Value; assumption?: string }
  | { kind: "open"; question: string; options: { label: string; value: Value }[] }
  | { kind: "none"; message: string };

export const clear = (wishes: Wish | Wish[], says: string, ...assumptions: string[]): Clear => ({
  kind: "clear",
  wishes: [wishes].flat(),
  says: [says],
  assumptions,
});

export const declined = (message: string): Declined => ({ kind: "declined", message });

/** Goes on with what was meant, now or when it is known. */
export function chosen<Value>(choice: Choice<Value>, then: (value: Value) => Understood): Understood {
  if (choice.kind === "none") return declined(choice.message);
  if (choice.kind === "sure") {
    const { value, assumption } = choice;
    return assumption === undefined ? then(value) : assuming(assumption, then(value));
  }
  const options = choice.options.map(({ label, value }) => ({ label, goOn: () => then(value) }));
  return { kind: "question", question: choice.question, options };
}

function assuming(assumption: string, understood: Understood): Understood {
  if (understood.kind === "declined") return understood;
  if (understood.kind === "clear") return { ...understood, assumptions: [assumption, ...understood.assumptions] };
  const options = understood.options.map(({ label, goOn }) => ({ label, goOn: () => assuming(assumption, goOn()) }));
  return { ...understood, options };
}

/** Both, one after the other: what the first asks is asked first. */
export function together(first: Understood, second: () => Understood): Understood {
  if (first.kind === "declined") return first;
  if (first.kind === "question") {
    const options = first.options.map(({ label, goOn }) => ({ label, goOn: () => together(goOn(), second) }));
    return { ...first, options };
  }
  const other = second();
  if (other.kind !== "clear") return other.kind === "declined" ? other : together(other, () => first);
  return {
    kind: "clear",
    wishes: [...first.wishes, ...other.wishes],
    says: [...first.says, ...other.says],
    assumptions: [...first.assumptions, ...other.assumptions],
  };
}
