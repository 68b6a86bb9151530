/** A WebSocket that does what a test says, and no more; those that were made are in `made`. */
export function fakeSockets() {
  const made: FakeSocket[] = [];
  class Made extends FakeSocket {
    constructor(url: string) {
      super(url);
      made.push(this);
    }
  }
  return { made, WebSocket: Made };
}

type Listener = ((event: never) => void) | null;

export class FakeSocket {
  readyState = 0;
  onopen: Listener = null;
  onmessage: Listener = null;
  onclose: Listener = null;
  onerror: Listener = null;
  readonly sent: unknown[] = [];
  closed: { code?: number; reason?: string } | undefined;
  readonly url: URL;

  constructor(url: string) {
    this.url = new URL(url);
  }

  get query(): Record<string, string> {
    return Object.fromEntries(this.url.searchParams);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(code?: number, reason?: string): void {
    this.readyState = 3;
    this.closed ??= { code, reason };
  }

  open(): this {
    this.readyState = 1;
    this.onopen?.({} as never);
    return this;
  }

  say(...values: unknown[]): this {
    for (const value of values) this.onmessage?.({ data: JSON.stringify(value) } as never);
    return this;
  }

  /** The other side closes it, or the network does. */
  end(code = 1006, reason = ""): void {
    this.readyState = 3;
    this.onerror?.({} as never);
    this.onclose?.({ code, reason } as never);
  }
}
