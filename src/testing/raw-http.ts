import { connect, type Socket } from "node:net";

export interface RawAnswer {
  status: number;
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: string;
}

export interface RawRequest {
  method?: string;
  path?: string;
  version?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** HTTP/1.1 byte by byte, so that a test can send what no client would. */
export class RawHttp {
  readonly socket: Socket;
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>;
  readonly #port: number;
  #text = "";
  #isClosed = false;
  #tell = () => {};

  constructor(port: number, host = "127.0.0.1") {
    this.#port = port;
    this.socket = connect(port, host);
    this.socket.setEncoding("latin1");
    this.socket.on("error", () => {}); // a reset is an end like any other
    this.socket.on("data", (chunk: string) => {
      this.#text += chunk;
      this.#tell();
    });
    this.closed = new Promise((resolve) => {
      this.socket.on("close", () => {
        this.#isClosed = true;
        this.#tell();
        resolve();
      });
    });
  }

  /** Everything that came and was not taken for an answer yet. */
  get unread(): string {
    return this.#text;
  }

  write(text: string): this {
    this.socket.write(text, "latin1");
    return this;
  }

  /** Host and Content-Length are written unless said; an empty text leaves a header out. */
  send({ method = "GET", path = "/", version = "1.1", headers = {}, body = "" }: RawRequest): this {
    const all: Record<string, string> = { Host: `127.0.0.1:${this.#port}`, ...headers };
    if (body !== "" && !("Content-Length" in all) && !("Transfer-Encoding" in all)) {
      all["Content-Length"] = String(Buffer.byteLength(body, "latin1"));
    }
    const lines = Object.entries(all).map(([name, value]) => (value === "" ? "" : `${name}: ${value}\r\n`));
    return this.write(`${method} ${path} HTTP/${version}\r\n${lines.join("")}\r\n${body}`);
  }

  /** The next answer. One without a length ends with the connection, and one to HEAD with its headers. */
  async answer({ toHead = false } = {}): Promise<RawAnswer> {
    const head = await this.#until("\r\n\r\n");
    const [first = "", ...lines] = head.split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const status = Number(first.split(" ")[1]);
    const hasNone = toHead || status === 204 || status < 200;
    return { status, headers, body: hasNone ? "" : await this.#body(headers["content-length"]) };
  }

  /** Resolves when the answer has begun to come, to the end of its headers. */
  async answerBegun(): Promise<void> {
    while (!this.#text.includes("\r\n\r\n")) await this.#more("an answer");
  }

  async #until(mark: string): Promise<string> {
    while (!this.#text.includes(mark)) await this.#more(`an answer; there is ${JSON.stringify(this.#text)}`);
    const end = this.#text.indexOf(mark);
    return this.#cut(end + mark.length).slice(0, end);
  }

  async #body(length: string | undefined): Promise<string> {
    if (length === undefined) await this.closed;
    else while (this.#text.length < Number(length)) await this.#more("the rest of an answer");
    return this.#cut(length === undefined ? this.#text.length : Number(length));
  }

  #cut(length: number): string {
    const text = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    return text;
  }

  async #more(what: string): Promise<void> {
    if (this.#isClosed) throw new Error(`the connection ended before ${what}`);
    await new Promise<void>((resolve) => {
      this.#tell = resolve;
    });
  }
}
