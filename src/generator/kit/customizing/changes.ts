import type { Wish } from "./customization.ts";

/** What each kind of wish makes of something; `before` is that as it was generated. */
export type Changes<Change extends Wish["change"], Subject> = {
  [One in Change]: (now: Subject, wish: Extract<Wish, { change: One }>, before: Subject) => Subject;
};

export type SomeChanges<Subject> = Partial<Changes<Wish["change"], Subject>>;

/** One after the other. A wish that is not what its type says costs only itself. */
export function changedBy<Subject>(
  changes: SomeChanges<Subject>,
  before: Subject,
  wishes: Wish[],
): Subject {
  type Change = (now: Subject, wish: Wish, before: Subject) => Subject;
  return wishes.reduce((now, wish) => {
    const change = Object.hasOwn(changes, wish.change) ? changes[wish.change] : undefined;
    try {
      return change ? (change as Change)(now, wish, before) : now;
    } catch {
      return now;
    }
  }, before);
}
