import { SearchParams } from "./search-params.ts";

const whole =
  /^([a-z][a-z0-9+.-]*:)(?:\/\/(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?)?([^?#]*)(\?[^#]*)?(#.*)?$/i;
const usualPorts: Record<string, string> = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21" };

/** As much of `URL` as interfaces need: it takes an address apart and puts it together, and knows no odd ones. */
export class Address {
  protocol: string;
  username: string;
  password: string;
  hostname: string;
  port: string;
  pathname: string;
  hash: string;
  readonly searchParams: SearchParams;
  /** The query as it was given, and how we would have written it: it stays as it is while nobody changes it. */
  readonly #given: { search: string; written: string };

  constructor(text: string, base?: string | Address) {
    const parts = whole.exec(absolute(String(text).trim(), base === undefined ? undefined : String(base)));
    if (!parts) throw new TypeError(`Invalid URL: ${text}`);
    const [, protocol = "", username = "", password = "", hostname = "", port = "", path = "", search = "", hash] =
      parts;
    this.protocol = protocol.toLowerCase();
    this.username = username;
    this.password = password;
    this.hostname = hostname.toLowerCase();
    this.port = port === usualPorts[this.protocol] ? "" : port;
    const isUsual = this.protocol in usualPorts;
    if (isUsual && (!hostname || /[\s<>^|%]/.test(hostname))) throw new TypeError(`Invalid URL: ${text}`);
    this.pathname = isUsual ? withoutDots(escaped(path || "/")) : path;
    this.searchParams = new SearchParams(search);
    this.#given = { search: search === "?" ? "" : escaped(search), written: String(this.searchParams) };
    this.hash = hash && hash !== "#" ? escaped(hash) : "";
  }

  static canParse(text: string, base?: string): boolean {
    return Address.parse(text, base) !== null;
  }

  static parse(text: string, base?: string): Address | null {
    try {
      return new Address(text, base);
    } catch {
      return null;
    }
  }

  static createObjectURL(): string {
    return "blob:null/0";
  }

  static revokeObjectURL(): void {}

  get host(): string {
    return this.port ? `${this.hostname}:${this.port}` : this.hostname;
  }

  get origin(): string {
    return this.protocol in usualPorts ? `${this.protocol}//${this.host}` : "null";
  }

  get search(): string {
    const written = String(this.searchParams);
    if (written === this.#given.written) return this.#given.search;
    return written === "" ? "" : `?${written}`;
  }

  set search(text: string) {
    for (const name of [...this.searchParams.keys()]) this.searchParams.delete(name);
    for (const [name, value] of new SearchParams(text)) this.searchParams.append(name, value);
  }

  get href(): string {
    const secret = this.password ? `:${this.password}` : "";
    const user = this.username || secret ? `${this.username}${secret}@` : "";
    const place = this.protocol in usualPorts || this.hostname ? `//${user}${this.host}` : "";
    return `${this.protocol}${place}${this.pathname}${this.search}${this.hash}`;
  }

  toString(): string {
    return this.href;
  }

  toJSON(): string {
    return this.href;
  }
}

function absolute(text: string, base: string | undefined): string {
  if (base === undefined || /^[a-z][a-z0-9+.-]*:/i.test(text)) return text;
  const { protocol, origin, pathname, search } = new Address(base);
  if (text.startsWith("//")) return `${protocol}${text}`;
  if (text.startsWith("/")) return `${origin}${text}`;
  if (text.startsWith("?")) return `${origin}${pathname}${text}`;
  if (text === "" || text.startsWith("#")) return `${origin}${pathname}${search}${text}`;
  return `${origin}${pathname.replace(/[^/]*$/, "")}${text}`;
}

function withoutDots(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/").slice(1)) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}${/\/\.{1,2}$/.test(path) && kept.length > 0 ? "/" : ""}`;
}

const escaped = (text: string) => encodeURI(text.toWellFormed()).replaceAll("%25", "%");
