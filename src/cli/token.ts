import { type MadeToken, TokenBook, type TokenInfo } from "../access/token-book.ts";
import { isExpired } from "../access/token-record.ts";
import type { Role } from "../core/roles.ts";
import { cell } from "./columns.ts";
import { findServer, requestSignInLink } from "./sign-in-link.ts";
import { widthOf } from "./terminal/text-width.ts";
import { count } from "./terminal/wording.ts";

export interface TokenCommand {
  /** Dragoman's data folder. */
  home: string;
  now: number;
  /** What was asked for, and nothing else, so that a script can take it. */
  say(line: string): void;
  /** About it, for a person. */
  note(line: string): void;
}

interface WantedByUser {
  name: string;
  role: Role[];
  /** In milliseconds from now. */
  expires?: number;
}

export function createToken(command: TokenCommand, { name, role, expires }: WantedByUser): Promise<void> {
  const expiresAt = expires === undefined ? undefined : new Date(command.now + expires).toISOString();
  return withBook(command, async (book) =>
    show(command, book, "Made", await book.create({ name, roles: role, expiresAt })),
  );
}

export function rotateToken(command: TokenCommand, idOrName: string): Promise<void> {
  return withBook(command, async (book) => {
    show(command, book, "Rotated", await book.rotate(idOrName));
    command.note("The old one is void, and what was open with it closes.");
  });
}

export function revokeToken(command: TokenCommand, idOrName: string): Promise<void> {
  return withBook(command, async (book) => {
    const { name, id } = await book.revoke(idOrName);
    command.say(`Revoked the token "${name}" (${id}). What was open with it closes.`);
  });
}

export function listTokens(command: TokenCommand, { json }: { json: boolean }): Promise<void> {
  return withBook(command, async (book) => {
    const tokens = book.list();
    const lines = json ? tokens.map((token) => JSON.stringify(token)) : table(tokens, command.now);
    for (const line of lines) command.say(line);
  });
}

/** A fresh link to sign in by, from the server that is running. */
export async function newLink(command: TokenCommand, workspace: string, address?: string): Promise<void> {
  const { url, expiresInSeconds } = await requestSignInLink(
    command.home,
    await findServer(command.home, workspace, address),
  );
  command.say(url);
  command.note(
    `Open it in your browser. It signs in once, within ${count(Math.round(expiresInSeconds / 60), "minute")}.`,
  );
}

async function withBook(command: TokenCommand, work: (book: TokenBook) => Promise<void>): Promise<void> {
  const { book, firstToken } = await TokenBook.open(command.home);
  try {
    if (firstToken !== undefined) command.note(`Made the admin token: it is in ${book.tokenFile}`);
    await work(book);
  } finally {
    book.close();
  }
}

function show({ say, note }: TokenCommand, book: TokenBook, done: string, { info, token }: MadeToken): void {
  const until = info.expiresAt === undefined ? "" : `, until ${minuteOf(info.expiresAt)}`;
  const kept = info.name === "admin" ? `It is in ${book.tokenFile} too.` : "It is shown this once, and kept nowhere.";
  note(`${done} the token "${info.name}" (${info.id}), roles ${info.roles.join(", ")}${until}. ${kept}`);
  say(token);
}

function table(tokens: TokenInfo[], now: number): string[] {
  const rows = [
    ["NAME", "ID", "ROLES", "MADE", "EXPIRES"],
    ...tokens.map((token) => [
      token.name,
      token.id,
      token.roles.join(", "),
      minuteOf(token.createdAt),
      expiryOf(token, now),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? "")))) ?? [];
  const line = (row: string[]) => row.map((text, column) => cell(text, widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd());
}

function expiryOf(token: TokenInfo, now: number): string {
  if (token.expiresAt === undefined) return "never";
  return isExpired(token, now) ? "has expired" : minuteOf(token.expiresAt);
}

const minuteOf = (time: string) => `${time.slice(0, 16).replace("T", " ")} UTC`;
