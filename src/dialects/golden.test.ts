import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { recordings } from "../testing/recordings.ts";
import { encodeLine } from "../transports/ndjson.ts";
import { encodeEvent } from "../transports/sse.ts";
import { foldAll, profilesOf } from "./contract.ts";
import type { Dialect, Frame, NumberedFrame } from "./dialect.ts";
import { dialects } from "./index.ts";

// The bytes of every dialect for every recorded log. `npm run golden` renews the files, and a change of a wire shows in the diff.

const folder = new URL("./golden/", import.meta.url);
const renew = process.env.DRAGOMAN_GOLDEN === "renew";
if (renew) rmSync(folder, { recursive: true, force: true });

const LONGEST = 200;
const SHOWN = 40;

function bytesOf(frame: NumberedFrame): string {
  if (frame.event === undefined) return encodeLine(frame.text);
  return encodeEvent({ id: `${frame.seq}.${frame.k}`, event: frame.event, data: frame.text });
}

const sessionIdOfNotices = "4f5e6e1b-8f3c-4bb0-9b0c-7d8a4c0f2b11";

/** What the connection says has no id. */
function noticeBytes({ event, text }: Frame): string {
  return event === undefined ? encodeLine(text) : encodeEvent({ event, data: text });
}

/** Of a long stream its beginning and its end; the sum in between stands for the rest. */
function readable(frames: NumberedFrame[]): string {
  const parts = frames.map(bytesOf);
  if (parts.length <= LONGEST) return parts.join("");
  const middle = parts.slice(SHOWN, -SHOWN);
  const sum = createHash("sha256").update(middle.join("")).digest("hex");
  return [...parts.slice(0, SHOWN), `... ${middle.length} messages, sha256 ${sum}\n`, ...parts.slice(-SHOWN)].join("");
}

function golden(dialect: Dialect): Map<string, string> {
  const { most, least } = profilesOf(dialect);
  const files = new Map<string, string>();
  for (const [name, { events, sessionId }] of recordings) {
    const frames = foldAll(dialect, events, most, sessionId);
    const extension = frames[0]?.event === undefined ? "ndjson" : "sse";
    const full = readable(frames);
    const plain = readable(foldAll(dialect, events, least, sessionId));
    files.set(`${name}.${extension}`, full);
    if (plain !== full) files.set(`${name}.least.${extension}`, plain);
  }
  files.set(
    "gap.txt",
    noticeBytes(dialect.fold(sessionIdOfNotices, most).gap({ from: 1, to: 40, at: 1_700_000_000_000 })),
  );
  return files;
}

test.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
  "%s speaks as its golden files have it",
  (name, dialect) => {
    const files = golden(dialect);
    const path = new URL(`${name}/`, folder);
    if (renew) {
      mkdirSync(path, { recursive: true });
      for (const [file, bytes] of files) writeFileSync(new URL(file, path), bytes);
    }
    const found = existsSync(path) ? readdirSync(path) : [];
    expect(found.sort()).toEqual([...files.keys()].sort());
    for (const [file, bytes] of files) expect(readFileSync(new URL(file, path), "utf8"), file).toBe(bytes);
  },
);
