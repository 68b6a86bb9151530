import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { makePrivateFolder, readPrivateFile, writePrivateFile } from "../config/private-file.ts";
import { withLock } from "../config/record-lock.ts";
import { unusable } from "../config/text-file.ts";
import { DragomanError, messageOf } from "../core/errors.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const MAX_BYTES = 4_000_000;

const base64 = z.string().regex(/^[A-Za-z0-9+/]+=*$/);
const sealedSchema = z.strictObject({ version: z.literal(1), iv: base64, tag: base64, data: base64 });

/**
 * A text in a file that says nothing without the key in another one. Both are for their owner alone; one change at a time is made, among
 * all processes. What anybody else changed in it does not open.
 */
export class SealedFile {
  readonly #folder: string;
  readonly #name: string;
  readonly #whenFull: string;

  /** `whenFull` says what to do when there is no room for more. */
  constructor(folder: string, name: string, whenFull: string) {
    this.#folder = folder;
    this.#name = name;
    this.#whenFull = whenFull;
  }

  get path(): string {
    return join(this.#folder, `${this.#name}.json`);
  }

  get keyPath(): string {
    return join(this.#folder, `${this.#name}.key`);
  }

  /** What was last written; nothing where there is no file. */
  read(): string | undefined {
    const text = readPrivateFile(this.path, MAX_BYTES);
    if (text === undefined) return undefined;
    const key = readPrivateFile(this.keyPath, KEY_BYTES * 4);
    if (key === undefined) throw unusable(this.path, `cannot be read without ${this.keyPath}. ${ADVICE}`);
    try {
      return opened(sealedSchema.parse(JSON.parse(text)), keyIn(key), this.#name);
    } catch {
      throw unusable(this.path, `was changed, or its key was: it does not open. ${ADVICE}`);
    }
  }

  /** Writes what `change` makes of it, if it could be read again. Resolves when it is on disk. */
  async change(change: (text: string | undefined) => string): Promise<void> {
    try {
      await makePrivateFolder(this.#folder);
      await withLock(join(this.#folder, `${this.#name}-lock.db`), async () => {
        const text = change(this.read());
        const written = `${JSON.stringify(sealed(text, await this.#key(), this.#name))}\n`;
        if (written.length > MAX_BYTES) throw new DragomanError("too_large", this.#whenFull);
        await writePrivateFile(this.path, written);
      });
    } catch (error) {
      if (error instanceof DragomanError) throw error;
      throw new DragomanError("store_failed", `${this.path} cannot be written: ${messageOf(error)}. Check the disk.`);
    }
  }

  /** The lock is held, so nobody else makes one. */
  async #key(): Promise<Buffer> {
    const known = readPrivateFile(this.keyPath, KEY_BYTES * 4);
    if (known !== undefined) return keyIn(known);
    const made = randomBytes(KEY_BYTES);
    await writePrivateFile(this.keyPath, `${made.toString("base64")}\n`);
    return made;
  }
}

const ADVICE = "Put back a copy of both, or take both away";

function keyIn(text: string): Buffer {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== KEY_BYTES) throw new Error("this is no key");
  return key;
}

/** The name goes in as well, so that one file cannot stand for another. */
function sealed(text: string, key: Buffer, name: string): z.infer<typeof sealedSchema> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(name));
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const [ivText, tag, dataText] = [iv, cipher.getAuthTag(), data].map((bytes) => bytes.toString("base64"));
  return { version: 1, iv: ivText ?? "", tag: tag ?? "", data: dataText ?? "" };
}

function opened({ iv, tag, data }: z.infer<typeof sealedSchema>, key: Buffer, name: string): string {
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, "base64"), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(name)).setAuthTag(Buffer.from(tag, "base64"));
  return Buffer.concat([decipher.update(Buffer.from(data, "base64")), decipher.final()]).toString("utf8");
}
