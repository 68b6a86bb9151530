import type * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import type { ConfigFile } from "./config-file.ts";
import type { FileSource } from "./configuration.ts";
import { type DragomanConfig, isSafeForToken } from "./schema.ts";
import type { Sources } from "./sources.ts";

// What the sections have in common that say where a model is and which key is sent there.

export interface WrittenSection<Value> {
  value: Value;
  source: FileSource;
  file: ConfigFile;
}

/** A section as a whole is the project's or the user's: were they mixed, a key would go to an address that it is not for. */
export function writtenSection<Key extends keyof DragomanConfig>(
  key: Key,
  { project, user, trust }: Sources,
): WrittenSection<NonNullable<DragomanConfig[Key]>> | undefined {
  const files = [
    { file: trust.trusted ? project : undefined, source: "project" as const },
    { file: user, source: "user" as const },
  ];
  const [first] = files.flatMap(({ file, source }) => {
    const value = file?.config[key];
    return file && value ? [{ value, source, file }] : [];
  });
  return first;
}

/** What variables say of a section, each of the key under which it stands here. An empty one is none. */
export function fromVariables<Schema extends z.ZodType>(
  variables: Record<string, string>,
  schema: Schema,
  env: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const given = Object.entries(variables).flatMap(([key, variable]) => {
    const value = env[variable];
    return value ? [[key, value]] : [];
  });
  const { data, error } = schema.safeParse(Object.fromEntries(given));
  if (!error) return data;
  const wrong = error.issues.map(({ path: [key], message }) => `${variables[String(key)]}: ${message}`);
  throw new DragomanError("precondition_failed", wrong.join("\n"));
}

interface Keyed {
  baseUrl?: string;
  apiKeyVariable: string;
}

/** Fails where everyone on the way could read the key. */
export function checkKey({ baseUrl, apiKeyVariable }: Keyed, env: NodeJS.ProcessEnv): void {
  if (baseUrl === undefined || !env[apiKeyVariable] || isSafeForToken(baseUrl)) return;
  const message = `The key in ${apiKeyVariable} would be sent to ${new URL(baseUrl).origin} for everyone on the way to read.`;
  throw new DragomanError("precondition_failed", `${message} Use https, or a model on this machine, or unset the key.`);
}
