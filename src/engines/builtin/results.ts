import * as z from "zod";

// What is read of the tools' results.

export const readResult = z.object({
  path: z.string(),
  content: z.string(),
  startLine: z.number(),
  /** Not known of a file that is too large to be read to its end. */
  totalLines: z.number().optional(),
  truncated: z.boolean(),
});
export type ReadResult = z.infer<typeof readResult>;

export const listResult = z.object({
  path: z.string(),
  entries: z.array(z.object({ path: z.string(), type: z.string(), bytes: z.number().optional() })),
  truncated: z.boolean(),
});

export const globResult = z.object({ files: z.array(z.string()), truncated: z.boolean() });
export type GlobResult = z.infer<typeof globResult>;

const match = z.object({ path: z.string(), line: z.number(), column: z.number(), text: z.string() });
export type Match = z.infer<typeof match>;
export const searchResult = z.object({ matches: z.array(match), filesSearched: z.number(), truncated: z.boolean() });
export type SearchResult = z.infer<typeof searchResult>;

export const writeResult = z.object({ path: z.string(), created: z.boolean(), bytes: z.number() });
export const editResult = z.object({ path: z.string(), replacements: z.number() });

export const shellResult = z.object({
  exitCode: z.number().nullable(),
  signal: z.string().nullish(),
  output: z.string(),
  truncated: z.boolean(),
  timedOut: z.boolean(),
  /** Not known of one that a client ran and did not say. */
  durationMs: z.number().optional(),
});
export type ShellResult = z.infer<typeof shellResult>;

export const statusResult = z.object({
  branch: z.string(),
  upstream: z.string().optional(),
  ahead: z.number(),
  behind: z.number(),
  clean: z.boolean(),
  files: z.array(z.object({ path: z.string(), status: z.string() })),
});
export type StatusResult = z.infer<typeof statusResult>;

export const diffResult = z.object({
  diff: z.string(),
  files: z.array(z.object({ path: z.string(), added: z.number(), removed: z.number() })),
  truncated: z.boolean(),
});
export type DiffResult = z.infer<typeof diffResult>;

const commit = z.object({ hash: z.string(), author: z.string(), date: z.string(), subject: z.string() });
export type Commit = z.infer<typeof commit>;
export const logResult = z.object({ commits: z.array(commit) });

export const commitResult = z.object({ hash: z.string(), subject: z.string(), files: z.array(z.string()) });
export const branchResult = z.object({ current: z.string(), branches: z.array(z.string()) });
export const pushResult = z.object({ remote: z.string(), branch: z.string(), output: z.string() });
