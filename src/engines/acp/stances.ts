/** A request that makes the agent use something else. */
export interface Choosing {
  method: string;
  params: Record<string, string>;
}

export interface Choice {
  id: string;
  name: string;
  description: string;
}

/** Something to choose on which depends whether an agent asks before it does things. */
export interface Stance {
  key: string;
  what: string;
  choices: Choice[];
  current: Choice;
  choosing(id: string): Choosing;
}

/** A stance that an agent has taken by itself, and in which it need not ask. */
export interface Straying {
  what: string;
  /** What it has changed it to, and what it was to be. */
  to: string;
  from: string;
  back: Choosing;
}

/** Words of modes in which an agent does things without asking anybody. */
const unasked =
  /yolo|autopilot|bypass|full.?access|unrestricted|allow.?all|auto(?:matically)?.?(?:approve|accept|edit|review)|accept.?edits|without (?:asking|approval|confirmation)|only ask for|edit workspace files|(?:classifier|handles) (?:to approve|permission)/i;

export function isUnasked({ id, name, description }: Choice): boolean {
  return unasked.test(`${id} ${name} ${description}`);
}

export function choiceOf(
  id: string,
  { name, description }: { name?: string | null; description?: string | null },
): Choice {
  return { id, name: name || id, description: description ?? "" };
}

export function choiceIn(choices: Choice[], id: string): Choice {
  return choices.find((each) => each.id === id) ?? choiceOf(id, {});
}

/** What each stance was when it was first seen, or what we have chosen since. An agent may become stricter by itself, but not laxer. */
export class Agreed {
  readonly #ids = new Map<string, string>();

  /** Takes stances that are new as they are, and gives them. */
  meet(stances: Stance[]): Stance[] {
    const met = stances.filter(({ key }) => !this.#ids.has(key));
    for (const { key, current } of met) this.agree(key, current.id);
    return met;
  }

  agree(key: string, id: string): void {
    this.#ids.set(key, id);
  }

  /** Of a choice that is not in the list nobody knows what it allows. */
  isLeft({ key, current, choices }: Stance): boolean {
    const isListed = choices.some(({ id }) => id === current.id);
    return current.id !== this.#ids.get(key) && (!isListed || isUnasked(current));
  }

  strayed(stances: Stance[]): Straying[] {
    const left = stances.filter((stance) => this.isLeft(stance));
    return left.map(({ key, what, choices, current, choosing }) => {
      const agreed = choiceIn(choices, this.#ids.get(key) ?? "");
      return { what, to: current.name, from: agreed.name, back: choosing(agreed.id) };
    });
  }
}
