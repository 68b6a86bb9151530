import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { storeCorrupt } from "./sqlite-error.ts";
import { APPLICATION_ID, storeNewer } from "./sqlite-schema.ts";

const MAGIC = Buffer.from("SQLite format 3\0", "latin1");
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const HEADER_BYTES = 100;

/**
 * Looks at a file before SQLite does, without changing it: SQLite would write to a foreign database as readily as to ours.
 * Says whether there is a store in it yet. https://sqlite.org/fileformat2.html#the_database_header
 */
export function checkHeader(path: string, knownVersion: number): "new" | "store" {
  const wal = firstBytes(`${path}-wal`);
  const { header, size } = firstBytes(path, HEADER_BYTES);
  // A store that is being made has no write-ahead log yet: where there was one, the file had something in it.
  if (size === 0 && wal.size > 0) throw storeCorrupt(path, "it is empty, but its journal is not");
  if (size === 0 || wasEmptyBefore(path)) return "new";
  if (size < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw storeCorrupt(path, "it is not an SQLite database");
  }
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw storeCorrupt(path, "it is an SQLite database of another application");
  }
  const version = header.readUInt32BE(60);
  if (version > knownVersion) throw storeNewer(path, version, knownVersion);
  // While there is a journal the header may tell of pages that are still in there.
  if (firstBytes(`${path}-wal`).size === 0 && firstBytes(`${path}-journal`).size === 0) checkSize(path, header, size);
  return "store";
}

function checkSize(path: string, header: Buffer, size: number): void {
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  const expected = header.readUInt32BE(28) * pageSize;
  const isCurrent = header.readUInt32BE(24) === header.readUInt32BE(92);
  if (isCurrent && size < expected) throw storeCorrupt(path, `it was cut off, ${size} bytes are left of ${expected}`);
}

/** A crash while the store was being made: its journal says that there were no pages, and SQLite will take them back. */
function wasEmptyBefore(path: string): boolean {
  const { header, size } = firstBytes(`${path}-journal`, 28);
  return size >= 28 && header.subarray(0, JOURNAL_MAGIC.length).equals(JOURNAL_MAGIC) && header.readUInt32BE(16) === 0;
}

function firstBytes(path: string, count = 0): { header: Buffer; size: number } {
  const header = Buffer.alloc(count);
  if (!existsSync(path)) return { header, size: 0 };
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, count, 0);
    return { header, size: fstatSync(file).size };
  } finally {
    closeSync(file);
  }
}
