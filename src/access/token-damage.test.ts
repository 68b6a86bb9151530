import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { TokenBook } from "./token-book.ts";

const folder = temporaryFolder();
const clock = new ManualClock();
let [home, file, whole, admin] = ["", "", "", ""];
let book: TokenBook;
const problems: string[] = [];

beforeEach(async () => {
  home = folder.newPath();
  file = join(home, "tokens.json");
  const opened = await TokenBook.open(home, clock);
  [book, admin] = [opened.book, opened.firstToken ?? ""];
  whole = readFileSync(file, "utf8");
  problems.length = 0;
  book.onProblem = ({ message }) => problems.push(message);
});
afterEach(() => book.close());

const changed = (change: (tokens: Record<string, unknown>[]) => unknown) => {
  const { tokens } = JSON.parse(whole);
  return JSON.stringify({ tokens: change(tokens) ?? tokens });
};
const adminWith = (more: object) => changed(([one]) => [{ ...one, ...more }]);
const rotated = () => whole.replace(/(?<="sha256": ")./, (digit) => (digit === "0" ? "1" : "0"));
const write = (text: string) => writeFileSync(file, text);

test.each<[string, () => void, string | RegExp]>([
  ["empty", () => write(""), "is not a list of tokens: it ends too early"],
  ["cut off", () => write(whole.slice(0, 100)), "is not a list of tokens: "],
  ["of nothing", () => write("null"), "is not a list of tokens: "],
  ["without the admin", () => write(changed(() => [])), "the admin token is missing"],
  ["of an admin that is none", () => write(adminWith({ roles: ["observe"] })), "is not what it was made as"],
  ["of an unknown role", () => write(adminWith({ roles: ["admin", "root"] })), "tokens[0].roles[1]: must be"],
  [
    "of a key that we do not know",
    () => write(adminWith({ onlyFrom: "10.0.0.1" })),
    "tokens[0]: must not have onlyFrom",
  ],
  ["of a digest that is none", () => write(adminWith({ sha256: "" })), "tokens[0].sha256: is not of the form"],
  ["of a day that never comes", () => write(adminWith({ name: "x", expiresAt: "2026-02-31T00:00:00Z" })), "expiresAt"],
  ["of an unprintable name", () => write(adminWith({ name: "\u001b[2J" })), "tokens[0].name: is not of the form"],
  ["of two with one name", () => write(changed(([one]) => [one, { ...one, id: "0".repeat(16) }])), "the same name"],
  ["not text", () => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x7b])), "is not UTF-8 text"],
  ["too large", () => write(" ".repeat(1_000_001)), "is larger than 1000000 bytes"],
  ["readable by others", () => chmodSync(file, 0o644), /can be read by other users\. Run: chmod 600 .*tokens\.json\.$/],
  [
    "writable by others",
    () => chmodSync(file, 0o620),
    /can be changed by other users\. .* chmod 600 .*tokens\.json\.$/,
  ],
  ["a link", () => replace(() => symlinkSync(home, file)), "is a symbolic link. Put the file itself there"],
  ["in a folder that others may change", () => chmodSync(home, 0o777), /can be changed by other users\. .* chmod 700 /],
  ["gone", () => rmSync(file), "is gone. Put back a copy of it, or start dragoman serve anew"],
])(
  "a file that is %s lets nobody in, closes what is open and says what is wrong, until it is mended",
  (_, damage, says) => {
    const grant = book.verify(admin);
    damage();
    expect(book.verify(admin)).toBeUndefined();
    expect(book.verify("")).toBeUndefined();
    expect(grant?.revoked.aborted).toBe(true);
    expect(problems).toEqual([typeof says === "string" ? expect.stringContaining(says) : expect.stringMatching(says)]);
    expect(problems[0]).toContain(home);
    expect(problems[0]).not.toContain(admin);
    chmodSync(home, 0o700);
    replace(() => writeFileSync(file, whole, { mode: 0o600 }));
    const again = book.verify(admin);
    expect(again?.caller).toEqual(grant?.caller);
    expect(again?.revoked.aborted).toBe(false);
  },
);

function replace(make: () => void): void {
  rmSync(file, { force: true });
  make();
}

test("a damaged file is neither opened, listed nor written over", async () => {
  write("{}");
  const message = expect.stringContaining(`${file} is not a list of tokens: `);
  for (const work of [
    () => TokenBook.open(home, clock),
    async () => book.list(),
    () => book.create({ name: "x", roles: ["admin"] }),
    () => book.rotate("admin"),
  ]) {
    await expect(work()).rejects.toMatchObject({ code: "precondition_failed", message });
  }
  expect(readFileSync(file, "utf8")).toBe("{}");
});

test("an admin token that others can read is not used", async () => {
  chmodSync(book.tokenFile, 0o640);
  await expect(TokenBook.open(home, clock)).rejects.toThrow(
    `${book.tokenFile} can be read by other users. Run: chmod 600 ${book.tokenFile}`,
  );
});

test("while the disk cannot be read nobody new is let in, and what is open stays", () => {
  const grant = book.verify(admin);
  renameSync(home, `${home}-away`);
  symlinkSync(home, home);
  clock.advance(1000);
  expect(book.verify(admin)).toBeUndefined();
  expect(problems).toEqual([expect.stringContaining("ELOOP")]);
  rmSync(home);
  renameSync(`${home}-away`, home);
  expect(book.verify(admin)).toBe(grant);
  expect(grant?.revoked.aborted).toBe(false);
});

test("a change to a file that has long been as it is is seen at once, also one of the same length", () => {
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 10_000);
  const grant = book.verify(admin);
  expect(book.verify(admin)).toBe(grant);
  write(rotated());
  expect(book.verify(admin)).toBeUndefined();
  vi.restoreAllMocks();
});

test("what another changed is seen without being asked, a second later at the most, until the book is closed", () => {
  const grant = book.verify(admin);
  write(rotated());
  expect(grant?.revoked.aborted).toBe(false);
  clock.advance(1000);
  expect(grant?.revoked.aborted).toBe(true);
  book.close();
  rmSync(file);
  clock.advance(5000);
  expect(problems).toEqual([]);
});
