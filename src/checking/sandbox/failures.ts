/** Something that should not have happened, as far as it can be seen from within. */
export interface Failure {
  /** Thrown, told by the module, shown instead of a screen, or nothing to be seen at all. */
  kind: "exception" | "report" | "shown" | "nothing";
  /** The address of the screen; empty while the module is being loaded. */
  screen: string;
  text: string;
  /** Where in the code, as the engine says it. */
  stack: string;
  /** The component that failed. */
  component: string;
}

/** With as many, there may have been more. */
export const MOST_FAILURES = 200;
export const MOST_CHARACTERS = 2000;

export const failures: Failure[] = [];

let screen = "";

export function enter(next: string): void {
  screen = bounded(next);
}

export const currentScreen = () => screen;

export function fail(kind: Failure["kind"], text: string, stack = "", component = ""): void {
  if (failures.length >= MOST_FAILURES) return;
  failures.push({ kind, screen, text: bounded(text), stack: bounded(stack), component: bounded(component) });
}

/** Anything can be thrown. `within` are the components around the place, the innermost first. */
export function failWith(error: unknown, within = ""): void {
  const stack = error instanceof Error ? error.stack : "";
  const component = /at ([A-Z]\w*)/.exec(within)?.[1];
  fail("exception", textOf(error), `${stack}\n${within}`, component);
}

/** Calls what the module gave us. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    failWith(error);
  }
}

export function textOf(value: unknown): string {
  try {
    return value instanceof Error ? `${value.name}: ${value.message}` : String(value);
  } catch {
    return "something without a text";
  }
}

const bounded = (text: unknown) => String(text).slice(0, MOST_CHARACTERS);
