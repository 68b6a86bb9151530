type Pair = [string, string];
type Given = string | Iterable<Pair> | Record<string, string>;

export class SearchParams {
  #pairs: Pair[];

  constructor(given: Given = "") {
    this.#pairs = pairsOf(given);
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: string, value: string): void {
    this.#pairs.push([String(name), String(value)]);
  }

  delete(name: string): void {
    this.#pairs = this.#pairs.filter(([one]) => one !== String(name));
  }

  get(name: string): string | null {
    return this.getAll(name)[0] ?? null;
  }

  getAll(name: string): string[] {
    return this.#pairs.filter(([one]) => one === String(name)).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.getAll(name).length > 0;
  }

  set(name: string, value: string): void {
    const at = this.#pairs.findIndex(([one]) => one === String(name));
    this.#pairs = this.#pairs.filter(([one], index) => one !== String(name) || index === at);
    if (at < 0) this.append(name, value);
    else this.#pairs[at] = [String(name), String(value)];
  }

  sort(): void {
    this.#pairs.sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
  }

  forEach(visit: (value: string, name: string, params: SearchParams) => void): void {
    for (const [name, value] of this.#pairs) visit(value, name, this);
  }

  keys(): IterableIterator<string> {
    return this.#pairs.map(([name]) => name).values();
  }

  values(): IterableIterator<string> {
    return this.#pairs.map(([, value]) => value).values();
  }

  entries(): IterableIterator<Pair> {
    return this.#pairs.map(([name, value]): Pair => [name, value]).values();
  }

  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries();
  }

  toString(): string {
    return this.#pairs.map((pair) => pair.map(encoded).join("=")).join("&");
  }
}

function pairsOf(given: Given): Pair[] {
  if (typeof given === "object" && given !== null) {
    const pairs = Symbol.iterator in given ? [...given] : Object.entries(given);
    return pairs.map(([name, value]) => [String(name), String(value)]);
  }
  const parts = String(given).replace(/^\?/, "").split("&");
  return parts.filter(Boolean).map((part) => {
    const mark = part.indexOf("=");
    return mark < 0 ? [decoded(part), ""] : [decoded(part.slice(0, mark)), decoded(part.slice(mark + 1))];
  });
}

const encoded = (text: string) =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");

function decoded(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
