import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError } from "../core/errors.ts";
import { customizationsIn, withCustomizations } from "../generator/emitting/customizations.ts";
import type { Customization } from "../generator/kit/customizing/customization.ts";

// A generated interface on disk: one module, or a project whose customizations are in a file of their own.

const CUSTOMIZATIONS = join("src", "customizations.ts");
const MOST_BYTES = 20 * 1024 * 1024;

export interface StoredInterface {
  /** As one module: what of it tells what it shows. */
  code: string;
  /** The file that holds the customizations, and its text. */
  path: string;
  text: string;
}

/** Of a file or a folder. Throws `document_not_found` with what to do. */
export async function storedInterface(given: string): Promise<StoredInterface> {
  const found = await lstat(given).catch(() => undefined);
  if (!found)
    throw new DragomanError(
      "document_not_found",
      `There is no ${given}. Make an interface with: dragoman generate <spec> --out <dir>`,
    );
  if (found.isDirectory()) return projectAt(given);
  const text = await textOf(given);
  return { code: text, path: given, text };
}

async function projectAt(folder: string): Promise<StoredInterface> {
  const path = join(folder, CUSTOMIZATIONS);
  const text = await textOf(path).catch(() => {
    throw new DragomanError(
      "document_not_found",
      `${folder} is no project of a generated interface: it has no ${CUSTOMIZATIONS}.`,
    );
  });
  const resources = join(folder, "src", "resources");
  const names = (await readdir(resources)).filter((name) => name.endsWith(".ts") && !name.includes(".test.")).sort();
  const parts = await Promise.all(names.map((name) => textOf(join(resources, name))));
  const code = [...parts, text].map(asPart).join("\n");
  return { code: `${code}\nexport default function App() {}\n`, path, text };
}

/** A file as a part of one module: what ties it to others is left out. */
const asPart = (text: string) => text.replace(/^import [^;]*;\n/gm, "").replace(/^export (?=const |function )/gm, "");

async function textOf(path: string): Promise<string> {
  const { size } = await lstat(path);
  if (size > MOST_BYTES) throw new DragomanError("too_large", `${path} has more than 20 MB.`);
  return readFile(path, "utf8");
}

/** The text of the file with these customizations. */
export function storedWith({ path, text }: StoredInterface, customizations: Customization[]): string {
  const after = withCustomizations(text, customizations);
  if (after !== undefined) return after;
  throw new DragomanError(
    "conflict",
    `${path} no longer has the one constant “customizations” that holds nothing but data.`,
  );
}

/** Those of a project that is there already; none if there is no project. */
export async function customizationsAt(folder: string): Promise<Customization[]> {
  const text = await textOf(join(folder, CUSTOMIZATIONS)).catch(() => undefined);
  return (text === undefined ? undefined : customizationsIn(text)) ?? [];
}
