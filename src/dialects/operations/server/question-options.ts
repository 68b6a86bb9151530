import type { Question } from "../../../core/events.ts";
import { letter } from "../wording.ts";

export interface Option {
  /** As the messages show it. */
  letter: string;
  id: string;
  label: string;
  detail?: string;
}

/** What can be chosen, in the order in which it is shown. */
export function optionsOf({ kind, items = [], confirmLabel = "Yes", cancelLabel = "No" }: Question): Option[] {
  const confirm = [
    { id: "yes", label: confirmLabel },
    { id: "no", label: cancelLabel },
  ];
  const chosen = kind === "confirm" ? confirm : kind === "pick" ? items : [];
  return chosen.map((item, index) => ({ letter: letter(index), ...item }));
}

/** The one that a person means who writes its id, its letter or its words. An id goes before a letter, and a letter before words. */
export function optionMeant(options: Option[], said: string): Option | undefined {
  const words = folded(said);
  const asLetter = words.replace(/[).]$/, "");
  return (
    options.find(({ id }) => id === said) ??
    options.find((option) => folded(option.letter) === asLetter) ??
    options.find(({ id }) => folded(id) === words) ??
    options.find(({ label }) => folded(label) === words)
  );
}

const folded = (text: string) => text.trim().toLowerCase();
