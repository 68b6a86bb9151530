import { createHmac, hash, randomBytes } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import { asDragomanError, DragomanError } from "../core/errors.ts";
import { type Grant, newEnd } from "./grant.ts";
import { SignInFile } from "./sign-in-file.ts";
import { type SignInKind, type SignInRecord, surplusOf } from "./sign-in-record.ts";
import { newSignIn } from "./token.ts";
import type { TokenBook } from "./token-book.ts";

const LOOK_EVERY_MS = 1000;
const MOST = 1000;

/** Where sign-ins are kept, and what says whether their tokens still hold. */
export interface KeptIn {
  home: string;
  tokens: Pick<TokenBook, "known">;
}

interface SignInBookOptions {
  clock: Clock;
  lifetimeMs: number;
  /** Without it they are in memory only. */
  keptIn?: KeptIn;
  onProblem?(error: DragomanError): void;
  onShown?(signIn: string): void;
}

interface Entry {
  readonly record: SignInRecord;
  callOff(): void;
  /** Since someone has used it here. */
  live?: { grant: Grant; root: Grant; end(reason: unknown): void };
  wasShown: boolean;
}

/**
 * Who is signed in. Several processes share it, and each sees within a second what another one has changed. Of a sign-in nothing is kept
 * that lets anyone in: its digest, and that of the token it goes back to.
 */
export class SignInBook {
  readonly #options: SignInBookOptions;
  readonly #file: SignInFile | undefined;
  /** By a digest under a key of our own, so that the time it takes to find one tells nothing. It also stands for the sign-in outside. */
  readonly #entries = new Map<string, Entry>();
  readonly #key = randomBytes(32);
  /** What is not on disk yet, by digest. */
  readonly #begun = new Map<string, SignInRecord>();
  readonly #ended = new Set<string>();
  #due: Promise<boolean> | undefined;
  #latest: Promise<boolean> = Promise.resolve(true);
  /** What was told already. */
  readonly #problems: { read?: string; write?: string } = {};
  #stopLooking: () => void = () => {};

  constructor(options: SignInBookOptions) {
    this.#options = options;
    this.#file = options.keptIn && new SignInFile(options.keptIn.home);
    if (this.#file) this.#lookNowAndThen();
  }

  /** The text of a new one, for whoever has that token. It holds at once, and outlives this process when `saved` has resolved. */
  begin(kind: SignInKind, root: Grant): string {
    const { clock, lifetimeMs, keptIn, onShown } = this.#options;
    const text = newSignIn(kind);
    const { id: tokenId } = root.caller;
    const known = keptIn?.tokens.known(tokenId); // it also ends `root`, if the token was changed meanwhile
    if (root.revoked.aborted) return text;
    const sha256 = digestOf(text);
    const expiresAt = new Date(clock.now() + lifetimeMs).toISOString();
    const record = { sha256, kind, tokenId, tokenSha256: known?.sha256 ?? "", expiresAt };
    if (known) this.#begun.set(sha256, record);
    const entry = this.#add(record);
    this.#open(entry, root);
    entry.wasShown = true;
    if (kind === "program") onShown?.(text);
    this.#makeRoom();
    if (known) this.#save();
    return text;
  }

  find(kind: SignInKind, text: string): Grant | undefined {
    this.#look();
    const place = this.#placeOf(digestOf(text));
    const record = this.#entries.get(place)?.record;
    if (record?.kind !== kind) return undefined;
    const known = this.#options.keptIn?.tokens.known(record.tokenId); // what is open with a changed token has ended then
    const entry = this.#entries.get(place);
    if (!entry || this.#isOver(record)) {
      this.#forget(place); // its timer is late
      return undefined;
    }
    if (known && known.sha256 !== record.tokenSha256) {
      this.end(place);
      return undefined;
    }
    if (!entry.live && known) this.#open(entry, known.grant);
    if (entry.live) this.#noteShown(entry, text);
    return entry.live?.grant;
  }

  /** The grant of the token itself. */
  rootOf(grant: Grant): Grant {
    return this.#entries.get(grant.signIn ?? "")?.live?.root ?? grant;
  }

  /** Whether there was one. `signIn` is what its grant has of it. */
  end(signIn: string): boolean {
    const entry = this.#entries.get(signIn);
    if (!entry) return false;
    this.#forget(signIn);
    this.#begun.delete(entry.record.sha256);
    if (this.#file && entry.record.tokenSha256 !== "") {
      this.#ended.add(entry.record.sha256);
      this.#save();
    }
    return true;
  }

  /** Resolves when what was begun and ended until now is on disk; with false if it could not be written, which is tried again then. */
  saved(): Promise<boolean> {
    return this.#latest;
  }

  /** Looks no more at what others change. */
  async close(): Promise<void> {
    this.#stopLooking();
    await this.#latest;
  }

  #add(record: SignInRecord): Entry {
    const place = this.#placeOf(record.sha256);
    const { clock } = this.#options;
    const left = Date.parse(record.expiresAt) - clock.now();
    const entry = { record, callOff: clock.after(left, () => this.#forget(place), "in background"), wasShown: false };
    this.#entries.set(place, entry);
    return entry;
  }

  #open(entry: Entry, root: Grant): void {
    const place = this.#placeOf(entry.record.sha256);
    const over = newEnd();
    const end = (reason: unknown) => {
      entry.live = undefined;
      root.revoked.removeEventListener("abort", endWithToken);
      over.abort(reason);
    };
    // A kept one is good again if the same token is: its file may only have been damaged.
    const endWithToken = () => {
      end(root.revoked.reason);
      if (!this.#file) this.#forget(place);
    };
    root.revoked.addEventListener("abort", endWithToken);
    entry.live = { grant: { caller: root.caller, revoked: over.signal, signIn: place }, root, end };
  }

  #forget(place: string): void {
    const entry = this.#entries.get(place);
    if (!entry) return;
    this.#entries.delete(place);
    entry.callOff();
    entry.live?.end(signedOut());
  }

  #makeRoom(): void {
    if (this.#entries.size <= MOST) return;
    const records = [...this.#entries.values()].map(({ record }) => record);
    for (const { sha256 } of surplusOf(records, MOST)) this.end(this.#placeOf(sha256));
  }

  #noteShown(entry: Entry, text: string): void {
    if (entry.wasShown) return;
    entry.wasShown = true;
    if (entry.record.kind === "program") this.#options.onShown?.(text);
  }

  #lookNowAndThen(): void {
    this.#look();
    if (this.#begun.size + this.#ended.size > 0) this.#save();
    this.#stopLooking = this.#options.clock.after(LOOK_EVERY_MS, () => this.#lookNowAndThen(), "in background");
  }

  #look(): void {
    if (!this.#file) return;
    try {
      const records = this.#file.readChanges();
      this.#problems.read = undefined;
      if (records !== "unchanged") this.#take(records);
    } catch (error) {
      // What the system could not do just now says nothing of the sign-ins.
      if (error instanceof DragomanError) this.#take([]);
      this.#tell("read", error);
    }
  }

  #take(records: SignInRecord[]): void {
    const wanted = new Map(records.map((record) => [record.sha256, record]));
    for (const [place, { record }] of this.#entries) {
      if (!wanted.has(record.sha256) && !this.#begun.has(record.sha256)) this.#forget(place);
    }
    for (const [sha256, record] of wanted) {
      const isKnown = this.#ended.has(sha256) || this.#entries.has(this.#placeOf(sha256));
      if (!isKnown && !this.#isOver(record)) this.#add(record);
    }
  }

  /** One write takes along all that came up before it began. */
  #save(): void {
    if (!this.#file || this.#due) return;
    let begun: SignInRecord[] = [];
    let ended: string[] = [];
    const written = this.#file.change((records) => {
      this.#due = undefined;
      [begun, ended] = [[...this.#begun.values()], [...this.#ended]];
      return this.#changed(records, begun);
    });
    const due = written.then(
      () => {
        for (const { sha256 } of begun) this.#begun.delete(sha256);
        for (const sha256 of ended) this.#ended.delete(sha256);
        this.#problems.write = undefined;
        this.#look();
        return true;
      },
      (error) => {
        if (this.#due === due) this.#due = undefined;
        this.#tell("write", error);
        return false;
      },
    );
    [this.#due, this.#latest] = [due, due];
  }

  #changed(records: SignInRecord[], begun: SignInRecord[]): SignInRecord[] {
    const all = new Map([...records, ...begun].map((record) => [record.sha256, record]));
    const left = [...all.values()].filter((record) => !this.#ended.has(record.sha256) && !this.#isOver(record));
    const surplus = new Set(surplusOf(left, MOST));
    return left.filter((record) => !surplus.has(record));
  }

  #isOver({ expiresAt }: SignInRecord): boolean {
    return Date.parse(expiresAt) <= this.#options.clock.now();
  }

  #tell(doing: "read" | "write", error: unknown): void {
    const problem = asDragomanError(error, "store_failed");
    if (problem.message === this.#problems[doing]) return;
    this.#problems[doing] = problem.message;
    this.#options.onProblem?.(problem);
  }

  #placeOf(sha256: string): string {
    return createHmac("sha256", this.#key).update(sha256).digest("base64url");
  }
}

const digestOf = (text: string) => hash("sha256", text);

const signedOut = () => new DragomanError("unauthorized", "This sign-in has ended. Sign in anew.");
