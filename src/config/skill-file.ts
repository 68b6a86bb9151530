import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isMap, isScalar, Lexer, parseDocument, type YAMLMap } from "yaml";
import { messageOf } from "../core/errors.ts";
import { printable } from "./printable.ts";

export const MAX_FRONT_MATTER_BYTES = 64 * 1024;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;

// What the YAML parser takes in well under 100 ms. Nested much deeper, it would bring the process down.
const MAX_TOKENS = 3000;
const MAX_NESTING = 16;
const MAX_MARKS_IN_LINE = 32;

export interface SkillHead {
  name: string;
  description: string;
}

export type SkillFile = { head: SkillHead; mtimeMs: number } | { problem: string };

/** The front matter of a SKILL.md; what follows it is for whoever uses the skill. */
export async function readSkillFile(path: string, folder: string): Promise<SkillFile> {
  try {
    const { text, mtimeMs } = await readBeginning(path);
    return { head: headOf(frontMatter(text), folder), mtimeMs };
  } catch (error) {
    return { problem: printable(messageOf(error)) };
  }
}

async function readBeginning(path: string): Promise<{ text: string; mtimeMs: number }> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error("It is not a regular file.");
    const buffer = Buffer.alloc(Math.min(stats.size, MAX_FRONT_MATTER_BYTES));
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { text: new TextDecoder().decode(buffer.subarray(0, length)), mtimeMs: Math.floor(stats.mtimeMs) };
  } finally {
    await handle.close();
  }
}

function frontMatter(text: string): string {
  const lines = text.split(/\r\n|\n/);
  if (lines[0]?.trimEnd() !== "---")
    throw new Error('It does not begin with front matter: a line "---" must come first.');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end < 0) throw new Error(`Its front matter is not closed by "---" within ${MAX_FRONT_MATTER_BYTES} bytes.`);
  return lines.slice(1, end).join("\n");
}

function headOf(yaml: string, folder: string): SkillHead {
  if (isTooInvolved(yaml)) throw new Error("Its front matter is too long or too deeply nested.");
  // All scalars are text here, and nothing is resolved, so that an alias never becomes more than a name. The check for unique
  // keys would take the square of their number; it is made below, for the two that count.
  const document = parseDocument(yaml, {
    schema: "failsafe",
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const [error] = document.errors;
  if (error) throw new Error(`Its front matter is not valid YAML: ${error.message}. Text with a colon needs quotes.`);
  if (!isMap(document.contents)) throw new Error("Its front matter needs a name and a description.");
  const name = textOf(document.contents, "name");
  const description = textOf(document.contents, "description");
  if (name.length > MAX_NAME || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`Its name must be in kebab-case, of at most ${MAX_NAME} characters.`);
  }
  if (name !== folder) throw new Error(`Its name is "${name}" and must be that of its folder, "${folder}".`);
  if (description === "") throw new Error("Its description is empty.");
  if (description.length > MAX_DESCRIPTION) {
    throw new Error(`Its description has ${description.length} characters; ${MAX_DESCRIPTION} are allowed.`);
  }
  return { name, description };
}

function textOf(map: YAMLMap, key: string): string {
  const pairs = map.items.filter((pair) => isScalar(pair.key) && pair.key.value === key);
  if (pairs.length === 0) throw new Error(`Its front matter has no ${key}.`);
  if (pairs.length > 1) throw new Error(`Its front matter has more than one ${key}.`);
  const value = pairs[0]?.value;
  if (!isScalar(value) || typeof value.value !== "string") throw new Error(`Its ${key} must be text.`);
  return value.value.trim();
}

/** Asked of the tokens, which cost little, before a tree is made of them. */
function isTooInvolved(yaml: string): boolean {
  let [tokens, nesting, marksInLine] = [0, 0, 0];
  for (const token of new Lexer().lex(yaml)) {
    if (++tokens > MAX_TOKENS) return true;
    if (token === "[" || token === "{") nesting++;
    else if (token === "]" || token === "}") nesting--;
    else if (token === "-" || token === "?" || token === ":") marksInLine++;
    else if (token.includes("\n")) marksInLine = 0;
    if (nesting > MAX_NESTING || marksInLine > MAX_MARKS_IN_LINE) return true;
  }
  return false;
}
