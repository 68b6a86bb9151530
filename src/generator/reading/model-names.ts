import { clipped } from "./clipped-text.ts";
import type { RawNode } from "./raw-node.ts";
import type { References } from "./references.ts";
import type { Warnings } from "./warnings.ts";

const mostModels = 20_000;
const longestName = 80;
/** Parts of a pointer that say what kind of thing it is, not which. */
const structural = new Set(
  "components schemas definitions properties items paths responses content schema parameters requestBody $defs".split(
    " ",
  ),
);
const kinds = new Map([
  ["responses", "Response"],
  ["requestBodies", "Body"],
  ["parameters", "Parameter"],
  ["headers", "Header"],
]);

/**
 * Gives everything that is referred to as a schema a name of its own, once. What was named and not yet read waits in `pending`,
 * so that a circle of references is no recursion.
 */
export class ModelNames {
  readonly pending: { name: string; node: RawNode }[] = [];
  /** With how many wanted each name. */
  private readonly taken = new Map<string, number>();
  private readonly byPlace = new Map<string, string>();
  /** The quick way for the usual references: the text of a `$ref` in a file. */
  private readonly byRef = new Map<string, string>();

  constructor(
    private readonly references: References,
    private readonly warnings: Warnings,
  ) {}

  /** The schemas that the description names itself keep their names. */
  reserve(container: RawNode | undefined): void {
    for (const [name, node] of container?.entries() ?? []) this.named(name, node);
  }

  /** The name of what a `$ref` means. */
  ofReference(ref: unknown, from: RawNode): string | undefined {
    const key = typeof ref === "string" ? `${from.file.name}\n${ref}` : "";
    const known = this.byRef.get(key);
    if (known !== undefined) return known;
    const name = this.known(ref) ?? this.ofTarget(this.references.target(from, ref));
    if (name !== undefined) this.byRef.set(key, name);
    return name;
  }

  /** A bare name, as discriminators' mappings and some old descriptions have it. */
  private known(ref: unknown): string | undefined {
    return typeof ref === "string" && this.taken.has(ref) ? ref : undefined;
  }

  private ofTarget(target: RawNode | undefined): string | undefined {
    return target && this.ofPlace(target);
  }

  /** The name of the schema at a place: the one it has, or else one made of where it stands. */
  ofPlace(node: RawNode): string | undefined {
    return this.byPlace.get(node.place) ?? this.named(suggestion(node), node);
  }

  private named(wanted: string, node: RawNode): string | undefined {
    if (this.taken.size >= mostModels) {
      this.warnings.add(node.place, `There are more than ${mostModels} schemas; this one is taken as anything`);
      return undefined;
    }
    const name = this.free(wanted === "__proto__" ? "Schema" : wanted);
    this.taken.set(name, 1);
    this.byPlace.set(node.place, name);
    this.pending.push({ name, node });
    return name;
  }

  private free(wanted: string): string {
    let count = this.taken.get(wanted) ?? 0;
    if (count === 0) return wanted;
    do count += 1;
    while (this.taken.has(`${wanted}${count}`));
    this.taken.set(wanted, count);
    return `${wanted}${count}`;
  }
}

function suggestion(node: RawNode): string {
  const keys: string[] = [];
  for (let at: RawNode = node; at.parent; at = at.parent) keys.unshift(at.key);
  if (keys.length === 0) return baseName(node.file.name);
  const container = keys.at(-2);
  if (container === "schemas" || container === "definitions" || container === "$defs") return keys.at(-1) ?? "Schema";
  const [, kind = "", name = ""] = keys[0] === "components" ? keys : ["", ...keys];
  const suffix = kinds.get(kind);
  if (suffix) return name.endsWith(suffix) ? name : `${name}${suffix}`;
  const telling = keys.filter((key) => !structural.has(key) && !key.includes("json") && !/^\d\d?$/.test(key));
  return clipped(telling.slice(-4).map(capitalized).join(""), longestName) || baseName(node.file.name);
}

function capitalized(key: string): string {
  return key
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function baseName(file: string): string {
  const last = file.slice(file.lastIndexOf("/") + 1);
  return last.split(".")[0] || "Schema";
}
