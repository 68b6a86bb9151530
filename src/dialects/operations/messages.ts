import * as z from "zod";
import { askKinds } from "../../core/events.ts";

/** The document's 10 KB, in bytes of UTF-8. */
export const LONGEST_CONTENT = 10_000;

/** `subsection` and `priority` are the document's; the rest is ours. */
export const metadata = z.strictObject({
  /** The tool call that the message is about. */
  subsection: z.string().optional(),
  priority: z.enum(["normal", "high", "low"]).optional(),
  ask_id: z.string().optional(),
  ask_kind: z.enum(askKinds).optional(),
  expires_at: z.iso.datetime().optional(),
  /** The words of a document that a question comes from. */
  source: z.strictObject({ path: z.string(), line: z.int(), quote: z.string().optional() }).optional(),
  /** Of a pick: what it is answered with, and whether with more than one. */
  items: z.array(z.strictObject({ id: z.string(), label: z.string() })).optional(),
  multi: z.boolean().optional(),
  /** Of a pick: it may be answered in one's own words. */
  allow_text: z.boolean().optional(),
  /** The answer must not be seen while it is typed. */
  secret: z.boolean().optional(),
  /** The content shows an excerpt of what the ask is about. */
  truncated: z.boolean().optional(),
  artifact_id: z.string().optional(),
  /** Of an error: what went wrong, as in the body of a REST error, and the status that a model's server gave. */
  code: z.string().optional(),
  status: z.int().optional(),
  /** Of the connection's first message: what does the work of the operation. */
  engine: z.string().optional(),
  model: z.string().optional(),
  /** The sequence numbers that a client which fell behind did not get. */
  dropped: z.array(z.int()).optional(),
});
export type Metadata = z.infer<typeof metadata>;

export const message = z.strictObject({
  id: z.uuid(),
  operation_id: z.uuid(),
  /** -1 and -2 are of the connection, and outside the order. */
  sequence: z.int().min(-2),
  /**
   * Ours: the event of the session's log, which is one for every protocol, before which everything was said, and of itself perhaps only
   * a part: the one that made the message, or an earlier one, where text of it is still to come. What is of the connection has none.
   */
  log_seq: z.int().min(1).optional(),
  type: z.enum(["thinking", "execution", "error", "complete", "system"]),
  content: z.string().refine((text) => Buffer.byteLength(text) <= LONGEST_CONTENT, "longer than 10,000 bytes"),
  timestamp: z.iso.datetime(),
  sender: z.enum(["copilot", "system"]),
  metadata: metadata.optional(),
});
export type Message = z.infer<typeof message>;
