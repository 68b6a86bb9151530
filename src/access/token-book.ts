import { timingSafeEqual } from "node:crypto";
import { printable } from "../config/printable.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { asDragomanError, DragomanError } from "../core/errors.ts";
import type { Grant } from "./grant.ts";
import { LiveGrants } from "./live-grants.ts";
import { checkWanted, ensureAdmin, newRecord, secretsOf, type WantedToken } from "./new-token.ts";
import { digestOf, looksLikeToken, newToken } from "./token.ts";
import { type Change, TokenFiles } from "./token-files.ts";
import { ADMIN, infoOf, isExpired, type TokenInfo, type TokenRecord } from "./token-record.ts";

export type { WantedToken } from "./new-token.ts";
export type { TokenInfo } from "./token-record.ts";

const LOOK_EVERY_MS = 1000;
const MOST_TOKENS = 1000;

export interface MadeToken {
  info: TokenInfo;
  /** Told this once: it is kept nowhere, but for the admin's. */
  token: string;
}

/** Who may come in. Several processes share it, and each sees within a second what another one has changed. */
export class TokenBook {
  /** Holds the admin token, for the programs of the same user. */
  readonly tokenFile: string;
  /** Told when the file of tokens cannot be used, once for each thing that is wrong. In that time nobody is let in. */
  onProblem: ((error: DragomanError) => void) | undefined;
  /** Told the text of each token when it is first shown here, so that it can be kept out of what is written down. */
  onShown: ((token: string) => void) | undefined;
  readonly #shown = new Set<string>();
  readonly #files: TokenFiles;
  readonly #clock: Clock;
  readonly #grants = new LiveGrants();
  #records: TokenRecord[] = [];
  #digests: Buffer[] = [];
  #problem: string | undefined;
  #stopLooking: () => void = () => {};

  /** `firstToken` is the admin token when it was made just now. */
  static async open(home: string, clock: Clock = systemClock): Promise<{ book: TokenBook; firstToken?: string }> {
    const files = new TokenFiles(home);
    const firstToken = await ensureAdmin(files, clock);
    const book = new TokenBook(files, clock);
    book.#lookNowAndThen();
    return firstToken === undefined ? { book } : { book, firstToken };
  }

  private constructor(files: TokenFiles, clock: Clock) {
    this.#files = files;
    this.#clock = clock;
    this.tokenFile = files.tokenFile;
  }

  /** Takes the same time whichever token it is, and however much of one was guessed. */
  verify(token: string): Grant | undefined {
    this.#look();
    const digest = digestOf(token);
    let found = -1;
    this.#digests.forEach((known, at) => {
      if (timingSafeEqual(known, digest)) found = at;
    });
    const record = this.#records[found];
    if (!record || isExpired(record, this.#clock.now())) return undefined;
    this.#noteShown(token, record);
    return this.#grants.of(record);
  }

  /** What signs the tool callbacks of whoever has this token. */
  callbackKey(tokenId: string): Buffer | undefined {
    this.#look();
    const record = this.#records.find(({ id }) => id === tokenId);
    if (!record || isExpired(record, this.#clock.now())) return undefined;
    return Buffer.from(record.callbackKey, "base64url");
  }

  /** What a sign-in goes back to: the token of that id as it is now. */
  known(tokenId: string): { sha256: string; grant: Grant } | undefined {
    this.#look();
    const record = this.#records.find(({ id }) => id === tokenId);
    if (!record || isExpired(record, this.#clock.now())) return undefined;
    return { sha256: record.sha256, grant: this.#grants.of(record) };
  }

  list(): TokenInfo[] {
    return (this.#files.read() ?? []).map(infoOf);
  }

  async create(wanted: WantedToken): Promise<MadeToken> {
    checkWanted(wanted, this.#clock.now());
    const token = newToken();
    return this.#change((records) => {
      if (records.some(({ id, name }) => id === wanted.name || name === wanted.name)) throw nameTaken(wanted.name);
      if (records.length >= MOST_TOKENS) throw tooMany();
      const record = newRecord(wanted, token, this.#clock);
      return { records: [...records, record], result: { info: infoOf(record), token } };
    });
  }

  async revoke(idOrName: string): Promise<TokenInfo> {
    return this.#change((records) => {
      const record = named(records, idOrName);
      if (record.name === ADMIN) throw lastAdmin();
      return { records: records.filter((other) => other !== record), result: infoOf(record) };
    });
  }

  /** The same token with another text: the old one is void at once. */
  async rotate(idOrName: string): Promise<MadeToken> {
    const token = newToken();
    return this.#change((records) => {
      const record = named(records, idOrName);
      if (isExpired(record, this.#clock.now())) throw expired(record.name);
      const rotated = { ...record, ...secretsOf(token) };
      return {
        records: records.map((other) => (other === record ? rotated : other)),
        adminToken: record.name === ADMIN ? token : undefined,
        result: { info: infoOf(rotated), token },
      };
    });
  }

  /** Looks no more at what others change by itself. */
  close(): void {
    this.#stopLooking();
  }

  #noteShown(token: string, { sha256 }: TokenRecord): void {
    if (this.#shown.has(sha256)) return;
    const [oldest] = this.#shown;
    if (this.#shown.size >= MOST_TOKENS && oldest !== undefined) this.#shown.delete(oldest);
    this.#shown.add(sha256);
    this.onShown?.(token);
  }

  async #change<T>(work: (records: TokenRecord[]) => Change<T>): Promise<T> {
    const result = await this.#files.change((records) => work(records ?? []));
    this.#look();
    return result;
  }

  #lookNowAndThen(): void {
    this.#look();
    this.#grants.endExpired(this.#clock.now());
    this.#stopLooking = this.#clock.after(LOOK_EVERY_MS, () => this.#lookNowAndThen(), "in background");
  }

  #look(): void {
    try {
      const records = this.#files.readChanges();
      this.#problem = undefined;
      if (records !== "unchanged") this.#take(records);
    } catch (error) {
      this.#fail(error);
    }
  }

  #take(records: TokenRecord[]): void {
    this.#records = records;
    this.#digests = records.map(({ sha256 }) => Buffer.from(sha256, "hex"));
    this.#grants.keep(records);
  }

  /** Nobody is let in while it cannot be told who is who. */
  #fail(error: unknown): void {
    [this.#records, this.#digests] = [[], []];
    // What the system could not do just now says nothing of the tokens: what is open may stay so.
    if (error instanceof DragomanError) this.#grants.keep([]);
    const problem = asDragomanError(error, "store_failed");
    if (problem.message === this.#problem) return;
    this.#problem = problem.message;
    this.onProblem?.(problem);
  }
}

function named(records: TokenRecord[], idOrName: string): TokenRecord {
  const found = records.find(({ id, name }) => id === idOrName || name === idOrName);
  if (found) return found;
  const isText = looksLikeToken(idOrName); // a secret, which is not to be said again
  const problem = isText ? "That is a token itself." : `There is no token "${printable(idOrName)}".`;
  const advice = "Give its name or its id, as dragoman token list shows them.";
  throw new DragomanError("invalid_params", `${problem} ${advice}`);
}

function nameTaken(name: string): DragomanError {
  const advice = `Take another name, or rotate that one: dragoman token rotate "${name}"`;
  return new DragomanError("conflict", `There is a token "${name}" already. ${advice}`);
}

function tooMany(): DragomanError {
  const advice = "Revoke some: dragoman token revoke <name>";
  return new DragomanError("precondition_failed", `There are ${MOST_TOKENS} tokens already. ${advice}`);
}

function lastAdmin(): DragomanError {
  const advice = "To have another one in its place: dragoman token rotate admin";
  return new DragomanError("precondition_failed", `Without the token "${ADMIN}" nobody could come in. ${advice}`);
}

function expired(name: string): DragomanError {
  const advice = "Revoke it, and make another one: dragoman token create";
  return new DragomanError("precondition_failed", `The token "${name}" has expired. ${advice}`);
}
