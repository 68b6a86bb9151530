import { specInvalid } from "./warnings.ts";

/** One file of a description. It is parsed when it is first asked for: a folder may have many that nothing refers to. */
export class SourceFile {
  private parsed?: { root: unknown };

  constructor(
    readonly name: string,
    /** Stands before a place in it: its name and a colon, or nothing if there is but one file. */
    readonly label: string,
    readonly budget: Budget,
    private readonly parse: () => unknown,
  ) {}

  get root(): unknown {
    this.parsed ??= { root: this.parse() };
    return this.parsed.root;
  }
}

/** References and aliases let a small text describe a vast tree: what is walked in total is bounded by the size of the text. */
export class Budget {
  constructor(private left: number) {}

  spend(amount: number, node: RawNode): void {
    this.left -= amount;
    if (this.left < 0) {
      throw specInvalid(node.place, "The description refers to its own parts so often that it grows without bounds");
    }
  }
}

/** A value of a parsed file that knows where it stands. Only own keys count, and `__proto__` is none. */
export class RawNode {
  readonly depth: number;

  constructor(
    readonly value: unknown,
    readonly file: SourceFile,
    readonly parent?: RawNode,
    readonly key = "",
  ) {
    this.depth = parent ? parent.depth + 1 : 0;
    file.budget.spend(1, this);
  }

  get place(): string {
    return `${this.file.label}${this.pointer || "/"}`;
  }

  get pointer(): string {
    const keys: string[] = [];
    for (let node: RawNode = this; node.parent; node = node.parent) keys.push(escapedKey(node.key));
    return keys
      .reverse()
      .map((key) => `/${key}`)
      .join("");
  }

  get isObject(): boolean {
    return isObject(this.value);
  }

  /** What stands under a key, unless it is missing or null. */
  child(key: string): RawNode | undefined {
    const value = ownValue(this.value, key);
    return value === undefined || value === null ? undefined : new RawNode(value, this.file, this, key);
  }

  keys(): string[] {
    return isObject(this.value) ? Object.keys(this.value).filter((key) => key !== "__proto__") : [];
  }

  /** @param most only the first ones */
  entries(most?: number): [string, RawNode][] {
    return this.keys()
      .slice(0, most)
      .map((key) => [key, new RawNode(ownValue(this.value, key), this.file, this, key)]);
  }

  items(): RawNode[] {
    if (!Array.isArray(this.value)) return [];
    return this.value.map((item, index) => new RawNode(item, this.file, this, String(index)));
  }

  /** Text under a key; numbers count, too, for YAML makes one of `version: 1.0`. */
  text(key: string): string | undefined {
    return textOf(ownValue(this.value, key));
  }

  flag(key: string): boolean {
    return isTrue(ownValue(this.value, key));
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function ownValue(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : undefined;
}

export function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** A key as a JSON pointer has it. */
export function escapedKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
