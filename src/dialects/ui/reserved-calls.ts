import * as z from "zod";
import type { CallTable } from "../dialect.ts";

// The namespaces that the document reserves without saying what is in them. What is in them is ours.

const sessionId = z.string().optional();

/** What a page of an artifact, a file or an export may hold. */
const LARGEST_PAGE = 1024 * 1024;
const pageSize = z
  .int()
  .positive()
  .max(LARGEST_PAGE)
  .default(64 * 1024);
const limit = (usual: number, most: number) => z.int().positive().max(most).default(usual);

export const todo = z.strictObject({
  id: z.string(),
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "failed", "skipped"]),
});

/** A session that is left out is the connection's current one. */
export const reserved = {
  "artifact.list": {
    params: z.looseObject({ session_id: sessionId, after: z.int().min(0).default(0), limit: limit(100, 1000) }),
    /** `next_after` is there when there are more: pass it as `after`. */
    result: z.looseObject({
      artifacts: z.array(
        z.looseObject({
          artifact_id: z.string(),
          run_id: z.string(),
          kind: z.string(),
          name: z.string(),
          bytes: z.int(),
          sha256: z.string(),
          created_at: z.string(),
        }),
      ),
      next_after: z.int().optional(),
    }),
  },
  "artifact.read": {
    params: z.looseObject({
      session_id: sessionId,
      artifact_id: z.string(),
      offset: z.int().min(0).default(0),
      limit: pageSize,
    }),
    /** Bytes of the artifact from `offset` on: text where they are UTF-8. `next_offset` is there when there are more. */
    result: z.looseObject({
      artifact_id: z.string(),
      bytes: z.int(),
      offset: z.int(),
      encoding: z.enum(["utf8", "base64"]),
      content: z.string(),
      next_offset: z.int().optional(),
    }),
  },
  "workspace.list": {
    params: z.looseObject({
      path: z.string().default("."),
      depth: z.int().positive().max(20).default(1),
      limit: limit(1000, 10_000),
    }),
    result: z.looseObject({
      path: z.string(),
      entries: z.array(
        z.looseObject({
          path: z.string(),
          type: z.enum(["file", "directory", "symlink", "other"]),
          bytes: z.int().optional(),
        }),
      ),
      truncated: z.boolean(),
    }),
  },
  "workspace.read": {
    params: z.looseObject({
      path: z.string(),
      start_line: z.int().positive().default(1),
      max_lines: limit(2000, 50_000),
    }),
    /** Lines count from 1. Of a very large file nobody counts them all. */
    result: z.looseObject({
      path: z.string(),
      content: z.string(),
      start_line: z.int(),
      total_lines: z.int().optional(),
      truncated: z.boolean(),
    }),
  },
  "workspace.search": {
    params: z.looseObject({
      query: z.string().min(1),
      regex: z.boolean().default(false),
      case_sensitive: z.boolean().default(false),
      path: z.string().default("."),
      glob: z.string().optional(),
      limit: limit(200, 2000),
    }),
    result: z.looseObject({
      matches: z.array(z.looseObject({ path: z.string(), line: z.int(), column: z.int(), text: z.string() })),
      files_searched: z.int(),
      truncated: z.boolean(),
    }),
  },
  "history.export": {
    params: z.looseObject({
      session_id: sessionId,
      format: z.enum(["jsonl", "markdown"]).default("jsonl"),
      after: z.int().min(0).default(0),
      limit: limit(1000, 10_000),
    }),
    /** The next part of the export; `next_after` is there when there are more: pass it as `after`. */
    result: z.looseObject({
      session_id: z.string(),
      format: z.enum(["jsonl", "markdown"]),
      content: z.string(),
      events: z.int(),
      next_after: z.int().optional(),
    }),
  },
  "todos.list": {
    params: z.looseObject({ session_id: sessionId }),
    /** The latest plan of the session; no `run_id` when there never was one. */
    result: z.looseObject({ run_id: z.string().optional(), todos: z.array(todo) }),
  },
} satisfies CallTable;
