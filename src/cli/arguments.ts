import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";

/** A folder that is there, without symlinks. */
export function folder(given: string): string {
  try {
    const path = realpathSync(resolve(given));
    if (statSync(path).isDirectory()) return path;
  } catch {}
  throw new InvalidArgumentError("There is no such folder.");
}

export const here = () => folder(".");

export function count(given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new InvalidArgumentError("It takes a number.");
}

export const LARGEST_PORT = 65_535;

export function port(given: string): number {
  const number = Number(given);
  if (/^\d{1,5}$/.test(given) && number <= LARGEST_PORT) return number;
  throw new InvalidArgumentError(`It takes a number up to ${LARGEST_PORT}.`);
}

export const workspaceOption = ["--workspace <dir>", "the folder to work in (default: this one)", folder] as const;
export const engineOption = [
  "--engine <name>",
  "what does the work: one of dragoman agents (default: builtin)",
] as const;
export const modelOption = ["--model <name>", "the engine's model"] as const;
