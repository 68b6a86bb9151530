import { ownValue, RawNode, type SourceFile } from "./raw-node.ts";
import type { Warnings } from "./warnings.ts";

const mostHops = 32;

/** Finds what a `$ref` names, in the files that were given and nowhere else. */
export class References {
  private readonly byName = new Map<string, SourceFile>();

  constructor(
    private readonly files: SourceFile[],
    private readonly warnings: Warnings,
  ) {
    for (const file of files) this.byName.set(normalized(file.name), file);
  }

  /** The node itself, or what it refers to in the end. Undefined, with a warning, if that is nowhere. */
  resolved(node: RawNode): RawNode | undefined {
    let current = node;
    for (let hop = 0; hop < mostHops; hop++) {
      const ref = ownValue(current.value, "$ref");
      if (ref === undefined) return current;
      const target = this.target(current, ref);
      if (!target) return undefined;
      current = target;
    }
    this.warnings.add(node.place, "The references lead in a circle; they are left out");
    return undefined;
  }

  /** What one `$ref` names, with a warning if that is nowhere. */
  target(from: RawNode, ref: unknown): RawNode | undefined {
    if (typeof ref !== "string") {
      this.warnings.add(from.place, "A $ref has to be text; it is left out");
      return undefined;
    }
    const [address = "", pointer = ""] = ref.split("#", 2);
    const file = this.fileOf(from.file, address);
    if (!file) {
      this.warnings.add(from.place, missingFile(address));
      return undefined;
    }
    const found = at(file, pointer);
    if (!found) this.warnings.add(from.place, `There is nothing at "${ref}"`);
    return found;
  }

  private fileOf(from: SourceFile, address: string): SourceFile | undefined {
    if (address === "") return from;
    if (isUrl(address)) return this.files.find((file) => ownAddress(file) === address);
    return this.byName.get(normalized(`${folderOf(from.name)}${decoded(address)}`));
  }
}

function isUrl(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(address);
}

/** A file may say which URL it goes by. */
function ownAddress({ root }: SourceFile): unknown {
  return ownValue(root, "$self") ?? ownValue(root, "$id");
}

function at(file: SourceFile, pointer: string): RawNode | undefined {
  let node = new RawNode(file.root, file);
  if (pointer !== "" && !pointer.startsWith("/")) return undefined;
  for (const part of pointer.split("/").slice(1)) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    const value = ownValue(node.value, key) ?? ownValue(node.value, part);
    if (value === undefined || key === "__proto__") return undefined;
    node = new RawNode(value, file, node, key);
  }
  return node;
}

function missingFile(address: string): string {
  return isUrl(address)
    ? `"${address}" is elsewhere; nothing is fetched while reading. Give it as a companion file`
    : `The file "${address}" was not given. Give it, or the folder that has it, too`;
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

/** "./a/../b.yaml" and "b.yaml" are one file. */
function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
