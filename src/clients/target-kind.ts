import { isObject } from "./is-object.ts";

/** One way to say where a server is. It is known by its name, which is a key of the target. */
export interface TargetKind {
  /** What has to be there beside that key. */
  needs?: readonly string[];
  /** What may be there. */
  takes?: readonly string[];
  /** Processes and sockets of the system no page has. */
  onlyInNode?: true;
}

export const serverKind = { takes: ["token", "WebSocket", "fetch"] } satisfies TargetKind;
export const commandKind = { takes: ["args", "cwd", "env", "closeMs"], onlyInNode: true } satisfies TargetKind;

type Kinds<Name extends string> = Record<Name | "command", TargetKind>;

/**
 * Which kind a target is of: that of a runtime to be started where it names no other. What is misspelt, or says two things at once,
 * must not start one; it throws what is wrong.
 */
export function targetKind<Name extends string>(target: unknown, kinds: Kinds<Name>): Name | "command" {
  if (!isObject(target)) throw new TypeError("that is no object; write { url }, for example");
  const names = Object.keys(kinds) as (Name | "command")[];
  const isNamed = (name: string) => name in target && (name !== "command" || target.command !== undefined);
  const [name = "command", second] = names.filter(isNamed);
  if (second !== undefined) throw new TypeError(`"${name}" and "${second}" are two targets; give one of them`);
  const { needs = [], takes = [], onlyInNode } = kinds[name];
  const missing = name === "command" ? undefined : [name, ...needs].find((key) => target[key] === undefined);
  if (missing !== undefined) throw new TypeError(`"${missing}" has no value; give it one`);
  const known = [name, ...needs, ...takes];
  const stray = Object.keys(target).find((key) => target[key] !== undefined && !known.includes(key));
  if (stray !== undefined) throw new TypeError(strayText(stray, name, { known, names }));
  if (onlyInNode && !isNode()) throw new TypeError(ONLY_IN_NODE);
  return name;
}

function strayText(stray: string, name: string, { known, names }: { known: string[]; names: string[] }): string {
  const others = known.filter((key) => key !== name).join(", ");
  if (name !== "command") return `"${stray}" is of no use beside "${name}"; of use are ${others || "no others"}`;
  const servers = names.filter((other) => other !== "command").join(", ");
  return `"${stray}" is of no use here; say where a server is by ${servers}, or what to start by command, ${others}`;
}

const ONLY_IN_NODE = "only in Node can a runtime be started, or a socket of the system be opened; give a url";

function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined;
}
