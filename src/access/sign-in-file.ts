import { join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../config/private-file.ts";
import { withLock } from "../config/record-lock.ts";
import { DragomanError, messageOf } from "../core/errors.ts";
import { parseSignIns, type SignInRecord, signInsText } from "./sign-in-record.ts";
import { WatchedFile } from "./watched-file.ts";

const MAX_BYTES = 1_000_000;

/** The file of sign-ins in the data folder. */
export class SignInFile {
  readonly #home: string;
  readonly #records: WatchedFile<SignInRecord[]>;

  constructor(home: string) {
    this.#home = home;
    this.#records = new WatchedFile(home, "sign-ins.json", MAX_BYTES, (text) =>
      text === undefined ? [] : parseSignIns(this.#records.path, text),
    );
  }

  /** All of them, unless they are what it answered the last time. */
  readChanges(): SignInRecord[] | "unchanged" {
    return this.#records.readChanges();
  }

  /** One change at a time among all processes. Resolves when it is on disk. What was damaged is written over. */
  async change(work: (records: SignInRecord[]) => SignInRecord[]): Promise<void> {
    try {
      await makePrivateFolder(this.#home);
      await withLock(join(this.#home, "sign-ins-lock.db"), () =>
        writePrivateFile(this.#records.path, signInsText(work(this.#readWhole()))),
      );
    } catch (error) {
      if (error instanceof DragomanError) throw error;
      const problem = `Sign-ins cannot be written to ${this.#home}: ${messageOf(error)}`;
      throw new DragomanError("store_failed", `${problem}. They end with this process. Check the disk.`);
    }
  }

  #readWhole(): SignInRecord[] {
    try {
      return this.#records.read();
    } catch (error) {
      if (error instanceof DragomanError) return []; // that was told when it was looked at
      throw error;
    }
  }
}
