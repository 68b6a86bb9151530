const LONGEST_HEAD = 10;
const TEXT = 1;
const PING = 9;
/** What a client says has a mask. With one of zeros it stays as it is. */
const NO_MASK = [0, 0, 0, 0];

/** The answer to a ping that says nothing. */
export const PONG = Buffer.from([0x8a, 0x80, ...NO_MASK]);

/** A short text as a client sends it. */
export function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, ...NO_MASK]), payload]);
}

/** Counts the messages of a server, which are a frame each and not masked, however the bytes were cut. It does not look into them. */
export class FrameCounter {
  /** How many have come whole. */
  frames = 0;
  /** Pings since someone looked. */
  pings = 0;
  /** What is missing of the frame that has begun. */
  #missing = 0;
  /** A head that has not come whole. */
  #head: Buffer | undefined;

  take(bytes: Buffer): void {
    let at = Math.min(this.#missing, bytes.length);
    this.#missing -= at;
    if (at > 0 && this.#missing === 0) this.frames++;
    while (at < bytes.length) at = this.#head ? this.#continueHead(this.#head, bytes, at) : this.#next(bytes, at);
  }

  #next(bytes: Buffer, from: number): number {
    const length = frameLength(bytes, from);
    if (length === undefined) {
      this.#head = Buffer.from(bytes.subarray(from)); // a copy: the bytes are overwritten
      return bytes.length;
    }
    return this.#begin(bytes[from] ?? 0, from + length, bytes.length);
  }

  #continueHead(begun: Buffer, bytes: Buffer, from: number): number {
    const head = Buffer.concat([begun, bytes.subarray(from, from + LONGEST_HEAD - begun.length)]);
    const length = frameLength(head, 0);
    this.#head = length === undefined ? head : undefined;
    if (length === undefined) return bytes.length;
    return this.#begin(head[0] ?? 0, from + length - begun.length, bytes.length);
  }

  /** A frame with this first byte ends at `end`, and what has come at `to`. */
  #begin(first: number, end: number, to: number): number {
    if ((first & 0x0f) === PING)
      this.pings++; // with its head it is whole: it says nothing
    else if (end <= to) this.frames++;
    if (end > to) this.#missing = end - to;
    return Math.min(end, to);
  }
}

/** The texts of a server's frames, for who does look into them; however the bytes were cut, but from where a frame begins. */
export class FrameTexts {
  #rest = Buffer.alloc(0);

  /** Those that came whole with these bytes. */
  take(bytes: Buffer): string[] {
    const all = Buffer.concat([this.#rest, bytes]);
    const texts: string[] = [];
    let at = 0;
    for (let end = endOf(all, at); end <= all.length; end = endOf(all, at)) {
      if (((all[at] ?? 0) & 0x0f) === TEXT) texts.push(all.toString("utf8", at + headLength(all, at), end));
      at = end;
    }
    this.#rest = all.subarray(at);
    return texts;
  }
}

const endOf = (bytes: Buffer, from: number) => from + (frameLength(bytes, from) ?? Number.POSITIVE_INFINITY);

function headLength(bytes: Buffer, from: number): number {
  const length = bytes[from + 1] ?? 0;
  return length < 126 ? 2 : length === 126 ? 4 : LONGEST_HEAD;
}

/** Of the frame that begins here, with its head; nothing if too little of the head is there to tell. */
function frameLength(bytes: Buffer, from: number): number | undefined {
  const there = bytes.length - from;
  if (there < 2) return undefined;
  const length = bytes[from + 1] ?? 0;
  if (length < 126) return 2 + length;
  if (length === 126) return there < 4 ? undefined : 4 + bytes.readUInt16BE(from + 2);
  return there < LONGEST_HEAD ? undefined : LONGEST_HEAD + bytes.readUInt32BE(from + 6); // none has 4 GB
}
