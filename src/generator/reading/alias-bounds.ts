import { escapedKey, isObject } from "./raw-node.ts";

/** More nodes than the largest published descriptions have. */
const mostNodes = 1_000_000;
const deepest = 200;

/**
 * YAML's aliases let a few lines stand for billions of nodes, or contain themselves. Says why a parsed document can't be used,
 * and where. Each object is visited once, however often it is shared.
 */
export function aliasProblem(root: unknown): { pointer: string; message: string } | undefined {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  let problem: { pointer: string; message: string } | undefined;

  function sizeOf(value: unknown, path: string): number {
    if (problem || (!isObject(value) && !Array.isArray(value))) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (open.has(value) || open.size > deepest) {
      const message = open.has(value) ? "A YAML alias contains itself" : "The YAML aliases nest too deeply";
      problem = { pointer: path || "/", message: `${message}. Write out what it stands for` };
      return 1;
    }
    open.add(value);
    let size = 1;
    for (const [key, inside] of Object.entries(value)) size += sizeOf(inside, `${path}/${escapedKey(key)}`);
    open.delete(value);
    sizes.set(value, size);
    return size;
  }

  const size = sizeOf(root, "");
  if (!problem && size > mostNodes && size > sizes.size * 100) {
    problem = {
      pointer: "/",
      message: "The YAML aliases stand for more than anyone could read. Write out what they stand for",
    };
  }
  return problem;
}
