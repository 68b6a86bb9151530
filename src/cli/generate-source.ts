import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { DragomanError } from "../core/errors.ts";
import { fetchDescription } from "../tools/fetch-description.ts";

// Where descriptions come from. What they refer to is read only if the user gave it: a description may name any file and any host.

const MAX_BYTES = 50 * 1024 * 1024;
const MOST_FILES = 1000;
const isDescription = /\.(?:json|ya?ml|graphqls?|gql|sdl)$/i;
const isMain = /^(?:openapi|swagger|api|schema|index|main)\.[^.]+$/i;

export interface DescriptionFile {
  /** Where it is, seen from the folder of the first one; companions are referred to by it. */
  name: string;
  text: string;
}

export interface SourceOptions {
  allowedHosts: string[];
  onProgress(text: string): void;
}

export async function readDescriptionFiles(given: string[], options: SourceOptions): Promise<DescriptionFile[]> {
  const [first = "", ...rest] = given;
  if (/^https?:\/\//i.test(first)) return fromAddress(first, rest, options);
  if (first === "-") return [{ name: "stdin", text: await pasted() }];
  const paths = [...new Set((await Promise.all(given.map(filesAt))).flat())];
  const main = await mainOf(first, paths);
  const folder = dirname(main);
  const ordered = [main, ...paths.filter((path) => path !== main)];
  if (ordered.length > MOST_FILES)
    throw new DragomanError("too_large", `${ordered.length} files are too many; at most ${MOST_FILES} are read.`);
  await checkSize(ordered);
  return Promise.all(
    ordered.map(async (path) => ({ name: nameFrom(folder, path), text: await readFile(path, "utf8") })),
  );
}

async function fromAddress(address: string, rest: string[], options: SourceOptions): Promise<DescriptionFile[]> {
  if (rest.length > 0)
    throw new DragomanError(
      "invalid_params",
      "After an address no files can be given. Download it, and give it as a file.",
    );
  options.onProgress(`Reading ${address}`);
  const onProgress = (bytes: number, total: number | undefined) =>
    options.onProgress(
      `Reading ${address}: ${kilobytes(bytes)}${total === undefined ? "" : ` of ${kilobytes(total)}`}`,
    );
  const ifInside = (host: string) => `If you mean it: --allow-host ${host}`;
  return [await fetchDescription(address, { allowedHosts: options.allowedHosts, ifInside, onProgress })];
}

async function pasted(): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw tooLarge(bytes);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

const tooLarge = (bytes: number) =>
  new DragomanError("too_large", `The description has ${Math.ceil(bytes / 1024 / 1024)} MB; at most 50 MB are read.`);

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`;

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new DragomanError("document_not_found", `There is no file ${path}.`);
  if (!found.isDirectory()) return [resolve(path)];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && isDescription.test(entry.name));
  const paths = files.map(({ parentPath, name }) => resolve(parentPath, name));
  return paths.filter((one) => !relative(path, one).split(sep).includes("node_modules")).sort();
}

async function mainOf(first: string, paths: string[]): Promise<string> {
  if (!(await stat(first)).isDirectory()) return resolve(first);
  const candidates = paths.filter((path) => dirname(path) === resolve(first));
  const main = candidates.find((path) => isMain.test(relative(first, path)));
  if (main) return main;
  if (candidates.length === 1 && candidates[0] !== undefined) return candidates[0];
  throw new DragomanError(
    "document_not_found",
    `${first} holds no openapi, swagger, api, schema, index or main file. Name the main file, then the folder.`,
  );
}

async function checkSize(paths: string[]): Promise<void> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > MAX_BYTES) throw tooLarge(bytes);
}

const nameFrom = (folder: string, path: string) => relative(folder, path).split(sep).join("/") || path;
