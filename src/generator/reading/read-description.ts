import { DragomanError, messageOf } from "../../core/errors.ts";
import type { NormalizedSpec, Warning } from "../normalized-spec.ts";
import { type DescriptionKind, demandKnownText, isSdl, kindOf } from "./description-kind.ts";
import { parseIntrospection } from "./graphql/parse-introspection.ts";
import { parseSdl } from "./graphql/parse-sdl.ts";
import { readGraphql } from "./graphql/read-graphql.ts";
import { readOpenapi } from "./openapi/read-openapi.ts";
import { parseText } from "./parse-text.ts";
import { Budget, RawNode, SourceFile } from "./raw-node.ts";
import { readSwagger2 } from "./swagger2/read-swagger2.ts";
import { specInvalid, Warnings } from "./warnings.ts";

const largest = 50 * 1024 * 1024;
const leastBudget = 1_000_000;

/** A file of a description. Companions are named by their path relative to the main one's folder. */
export interface DescriptionFile {
  name: string;
  text: string;
}

export interface ReadResult {
  spec: NormalizedSpec;
  warnings: Warning[];
}

type Read = (files: [SourceFile, ...SourceFile[]], warnings: Warnings) => NormalizedSpec;

const readers: Record<DescriptionKind, Read> = {
  openapi3: readOpenapi,
  swagger2: readSwagger2,
  introspection: ([file], warnings) => {
    const root = new RawNode(file.root, file);
    const schema = root.child("__schema") ?? root.child("data")?.child("__schema") ?? root;
    return readGraphql(parseIntrospection(schema, warnings), file.name, warnings);
  },
};

/** Reads a description of any supported kind. The first file is the main one; the others are there to be referred to. */
export function readDescription(given: DescriptionFile[] | string): ReadResult {
  const files = (typeof given === "string" ? [{ name: "", text: given }] : given).map(withoutMark);
  const [main] = files;
  if (!main) throw specInvalid("/", "No description was given");
  const characters = files.reduce((sum, file) => sum + file.text.length, 0);
  if (characters > largest) throw new DragomanError("too_large", "A description may have at most 50 MB");
  demandKnownText(main.text, labelOf(main, files));
  const warnings = new Warnings();
  const spec = isSdl(main) ? readSdl(files, warnings) : readDocuments(main, files, warnings);
  return { spec, warnings: warnings.list() };
}

function readSdl(files: DescriptionFile[], warnings: Warnings): NormalizedSpec {
  const schemas = files.filter(isSdl).map((file) => ({ label: labelOf(file, files), text: file.text }));
  return readGraphql(parseSdl(schemas), files[0]?.name ?? "", warnings);
}

function readDocuments(main: DescriptionFile, files: DescriptionFile[], warnings: Warnings): NormalizedSpec {
  const budget = new Budget(
    Math.max(
      leastBudget,
      files.reduce((sum, file) => sum + file.text.length, 0),
    ),
  );
  const source = (file: DescriptionFile, parse: () => unknown) =>
    new SourceFile(file.name, labelOf(file, files), budget, parse);
  const mainFile = source(main, () => parseText(main.text, labelOf(main, files), warnings));
  const companions = files
    .slice(1)
    .map((file) => source(file, () => parsedCompanion(file, labelOf(file, files), warnings)));
  return readers[kindOf(mainFile.root, mainFile.label)]([mainFile, ...companions], warnings);
}

/** A companion that can't be read costs what refers to it, not the description. */
function parsedCompanion(file: DescriptionFile, label: string, warnings: Warnings): unknown {
  try {
    return parseText(file.text, label, warnings);
  } catch (error) {
    warnings.add(`${label}/`, `This file is left out: ${messageOf(error)}`);
    return undefined;
  }
}

function labelOf(file: DescriptionFile, files: DescriptionFile[]): string {
  return files.length > 1 ? `${file.name}:` : "";
}

/** Some editors put a byte order mark before the text. */
function withoutMark({ name, text }: DescriptionFile): DescriptionFile {
  return { name, text: text.replace(/^\uFEFF/, "") };
}
