import type { IncomingMessage } from "node:http";
import { SIGN_IN_MS } from "../../access/sign-ins.ts";

/** More of the same name are not looked at. */
const MOST = 4;

/** The cookie by which a browser stays signed in. Its name has the port, since browsers keep the ports of a host apart in nothing else. */
export class SignInCookie {
  /** Known once the server listens. */
  port = 0;
  readonly #attributes: string;

  constructor({ secure }: { secure: boolean }) {
    this.#attributes = `HttpOnly; SameSite=Strict; Path=/${secure ? "; Secure" : ""}`;
  }

  get name(): string {
    return `dragoman_${this.port}`;
  }

  valuesIn({ headers: { cookie } }: IncomingMessage): string[] {
    if (cookie === undefined) return [];
    const begin = `${this.name}=`;
    const own = cookie.split(/; */).filter((one) => one.startsWith(begin));
    return own.slice(0, MOST).map((one) => one.slice(begin.length));
  }

  holding(value: string): Record<string, string> {
    return { "Set-Cookie": `${this.name}=${value}; ${this.#attributes}; Max-Age=${SIGN_IN_MS / 1000}` };
  }

  gone(): Record<string, string> {
    return { "Set-Cookie": `${this.name}=; ${this.#attributes}; Max-Age=0` };
  }
}
