import { join } from "node:path";
import { makePrivateFolder, readPrivateFile, writePrivateFile } from "../config/private-file.ts";
import { withLock } from "../config/record-lock.ts";
import { unusable } from "../config/text-file.ts";
import { DragomanError, messageOf } from "../core/errors.ts";
import { parseRecords, recordsText, type TokenRecord } from "./token-record.ts";
import { WatchedFile } from "./watched-file.ts";

const MAX_BYTES = 1_000_000;
const START_ANEW = "Put back a copy of it, or start dragoman serve anew: it then makes a new admin token";

export interface Change<T> {
  records: TokenRecord[];
  /** The text of the admin token, if it is another one from now on. */
  adminToken?: string;
  result: T;
}

/** The two files of tokens in the data folder: what is known of each, and the text of the admin's. */
export class TokenFiles {
  readonly tokenFile: string;
  readonly #home: string;
  readonly #records: WatchedFile<TokenRecord[]>;

  constructor(home: string) {
    this.#home = home;
    this.tokenFile = join(home, "token");
    this.#records = new WatchedFile(home, "tokens.json", MAX_BYTES, (text) => {
      if (text === undefined) throw unusable(this.#records.path, `is gone. ${START_ANEW}`);
      return parseRecords(this.#records.path, text);
    });
  }

  /** All tokens, or undefined where none was ever made. */
  read(): TokenRecord[] | undefined {
    const text = this.#records.readText();
    return text === undefined ? undefined : parseRecords(this.#records.path, text);
  }

  /** All tokens, unless they are what it answered the last time. That there are none at all is a failure. */
  readChanges(): TokenRecord[] | "unchanged" {
    return this.#records.readChanges();
  }

  readAdminToken(): string | undefined {
    return readPrivateFile(this.tokenFile, MAX_BYTES)?.trim();
  }

  /** One change at a time among all processes. Resolves when it is on disk. */
  async change<T>(work: (records: TokenRecord[] | undefined) => Change<T>): Promise<T> {
    try {
      await makePrivateFolder(this.#home);
      return await withLock(join(this.#home, "tokens-lock.db"), async () => {
        const before = this.read();
        const { records, adminToken, result } = work(before);
        // First of all what ends the old token. Whoever dies in between leaves an admin token that is none: the next start mends it.
        if (records !== before) await this.#write(records);
        if (adminToken !== undefined) await writePrivateFile(this.tokenFile, `${adminToken}\n`);
        return result;
      });
    } catch (error) {
      if (error instanceof DragomanError) throw error;
      const advice = "Check the disk, or set DRAGOMAN_HOME to a folder that can be written to.";
      throw new DragomanError("store_failed", `No token was changed in ${this.#home}: ${messageOf(error)}. ${advice}`);
    }
  }

  async #write(records: TokenRecord[]): Promise<void> {
    const text = recordsText(records);
    if (Buffer.byteLength(text) > MAX_BYTES) throw unusable(this.#records.path, "would grow too large. Revoke tokens");
    await writePrivateFile(this.#records.path, text);
  }
}
