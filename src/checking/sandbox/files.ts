import { Decoder, Encoder } from "./texts.ts";

type Part = string | ArrayBuffer | Uint8Array | Content;

export class Content {
  readonly type: string;
  readonly #bytes: Uint8Array;

  constructor(parts: Part[] = [], { type = "" }: { type?: string } = {}) {
    this.type = type;
    this.#bytes = Uint8Array.from(parts.flatMap((part) => [...bytesOf(part)]));
  }

  get size(): number {
    return this.#bytes.length;
  }

  slice(from?: number, to?: number, type = ""): Content {
    return new Content([this.#bytes.slice(from, to)], { type });
  }

  bytes(): Promise<Uint8Array> {
    return Promise.resolve(this.#bytes.slice());
  }

  arrayBuffer(): Promise<ArrayBufferLike> {
    return Promise.resolve(this.#bytes.slice().buffer);
  }

  text(): Promise<string> {
    return Promise.resolve(new Decoder().decode(this.#bytes));
  }

  static bytesOf(content: Content): Uint8Array {
    return content.#bytes;
  }
}

function bytesOf(part: Part): Uint8Array {
  if (part instanceof Content) return Content.bytesOf(part);
  return typeof part === "string" ? new Encoder().encode(part) : new Uint8Array(part);
}

export class NamedContent extends Content {
  readonly lastModified = Date.now();

  constructor(
    parts: Part[],
    readonly name: string,
    options?: { type?: string },
  ) {
    super(parts, options);
  }
}

/** What a form sends. */
export class FormEntries {
  #entries: [string, unknown][] = [];

  append(name: string, value: unknown): void {
    this.#entries.push([String(name), value instanceof Content ? value : String(value)]);
  }

  set(name: string, value: unknown): void {
    this.delete(name);
    this.append(name, value);
  }

  delete(name: string): void {
    this.#entries = this.#entries.filter(([one]) => one !== name);
  }

  get(name: string): unknown {
    return this.getAll(name)[0] ?? null;
  }

  getAll(name: string): unknown[] {
    return this.#entries.filter(([one]) => one === name).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.getAll(name).length > 0;
  }

  entries(): IterableIterator<[string, unknown]> {
    return this.#entries.values();
  }

  [Symbol.iterator](): IterableIterator<[string, unknown]> {
    return this.entries();
  }
}
