import * as z from "zod";
import { boundedArray } from "../bounded.ts";
import type { CallTable } from "../dialect.ts";
import { engineCalls, engineName, modelName, working } from "./engine-calls.ts";
import { reserved } from "./reserved-calls.ts";

// Every method of the `ui` document. Clients in use send fields that it does not name, so no object here is strict.

const position = z.looseObject({ line: z.int().min(0), column: z.int().min(0) });

/** What the user has before their eyes. */
export const uiContext = z.looseObject({
  cwd: z.string().optional(),
  workspace_root: z.string().optional(),
  active_file: z.looseObject({ path: z.string(), language_id: z.string().optional() }).optional(),
  selection: z
    .looseObject({
      path: z.string(),
      range: z.looseObject({ start: position, end: position }),
      selected_text: z.string().optional(),
    })
    .optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});

const uiCapabilities = z.looseObject({
  supports_confirm: z.boolean().optional(),
  supports_prompt: z.boolean().optional(),
  supports_pick: z.boolean().optional(),
  supports_markdown: z.boolean().optional(),
  supports_images: z.boolean().optional(),
  supports_permission_preflight_events: z.boolean().optional(),
  supports_tool_output: z.boolean().optional(),
});

const serverCapabilities = z.looseObject({
  supports_run_cancel: z.boolean().optional(),
  supports_ui_requests: z.boolean().optional(),
  supports_mcp_list: z.boolean().optional(),
  supports_skills_list: z.boolean().optional(),
  /** Ours: the namespaces that the document reserves. */
  supports_artifacts: z.boolean().optional(),
  supports_workspace: z.boolean().optional(),
  supports_history_export: z.boolean().optional(),
  supports_todos: z.boolean().optional(),
  supports_watch: z.boolean().optional(),
  supports_engines: z.boolean().optional(),
});

const program = z.looseObject({ name: z.string(), version: z.string() });

export const calls = {
  initialize: {
    params: z.looseObject({
      protocol_version: z.string(),
      client: program,
      ui_capabilities: uiCapabilities.optional(),
    }),
    result: z.looseObject({
      protocol_version: z.string(),
      server: program,
      server_capabilities: serverCapabilities.optional(),
    }),
  },
  "run.start": {
    params: z.looseObject({
      input: z.discriminatedUnion("type", [
        z.looseObject({ type: z.literal("text"), text: z.string() }),
        /** Not in the document, but sent by clients in use: text and images in turn. */
        z.looseObject({
          type: z.literal("parts"),
          parts: boundedArray(z.looseObject({ type: z.string(), text: z.string().optional() }), 1000),
        }),
      ]),
      session_id: z.string().optional(),
      ui_context: uiContext.optional(),
      meta: z.record(z.string(), z.unknown()).optional(),
      /** Ours: of the session that the run begins, if it begins one; else it must be the session's. */
      engine: engineName.optional(),
      /** Ours: of this run, and of the session if it begins one. */
      model: modelName.optional(),
    }),
    /**
     * All but the run is ours: the session to resume later, which a UI would otherwise have to look for in the list, and what does the
     * work of the run.
     */
    result: z.looseObject({ run_id: z.string(), session_id: z.string().optional(), ...working }),
  },
  "run.cancel": {
    params: z.looseObject({ run_id: z.string(), reason: z.string().optional() }),
    result: z.looseObject({
      ok: z.boolean(),
      status: z.enum(["running", "completed", "error", "cancelled"]).optional(),
    }),
  },
  "session.list": {
    /** `workspace_root` is ours: only the sessions of that folder. A `limit` of 0 is none. */
    params: z.looseObject({ limit: z.int().min(0).default(50), workspace_root: z.string().optional() }),
    result: z.looseObject({
      sessions: z.array(
        z.looseObject({
          session_id: z.string(),
          updated_at: z.string(),
          run_id: z.string().optional(),
          message_count: z.int().optional(),
          last_user_message: z.string().optional(),
          /** Ours. */
          workspace_root: z.string().optional(),
          title: z.string().optional(),
          status: z.string().optional(),
          ...working,
          /** The head of its log: what to watch it after. */
          last_seq: z.int().optional(),
          /** Where it is found in each protocol, from the address of the server on; told by one that serves them. */
          addresses: z.record(z.string(), z.string()).optional(),
        }),
      ),
    }),
  },
  /** Ours: from now on the session is followed, also while nothing happens in it, whichever protocol it was begun in. */
  "session.watch": {
    /** `after` is a number of the log, as any protocol tells it: everything after it comes. Without it, what happens from now on. */
    params: z.looseObject({ session_id: z.string(), after: z.int().min(0).optional() }),
    /** `last_seq` is the head of the log. */
    result: z.looseObject({ session_id: z.string(), last_seq: z.int(), ...working }),
  },
  /** Ours. False when it was not watched. */
  "session.unwatch": {
    params: z.looseObject({ session_id: z.string() }),
    result: z.looseObject({ ok: z.boolean() }),
  },
  "session.history": {
    params: z.looseObject({
      session_id: z.string(),
      max_runs: z.int().min(0).default(20),
      max_events: z.int().min(0).default(1500),
    }),
    result: z.looseObject({ runs: z.int(), events_sent: z.int(), truncated: z.boolean().optional() }),
  },
  "mcp.list": {
    params: z.looseObject({ scope: z.enum(["loaded", "configured"]).default("loaded") }),
    result: z.looseObject({
      servers: z.array(
        z.looseObject({
          id: z.string(),
          transport: z.enum(["http", "stdio"]),
          source: z.enum(["project", "global"]).optional(),
          enabled: z.boolean(),
          state: z.enum(["disabled", "connecting", "ready", "error"]),
          tools: z.int().optional(),
          last_error: z.string().optional(),
          last_connected_at: z.string().optional(),
        }),
      ),
    }),
  },
  "skills.list": {
    params: z.looseObject({ cwd: z.string().optional(), force_reload: z.boolean().default(false) }),
    result: z.looseObject({
      skills: z.array(
        z.looseObject({
          id: z.string(),
          name: z.string(),
          description: z.string(),
          path: z.string(),
          dir: z.string(),
          scope: z.enum(["repo", "user"]),
          mtime_ms: z.number(),
        }),
      ),
      errors: z.array(z.looseObject({ path: z.string(), message: z.string() })),
      truncated: z.boolean(),
    }),
  },
  /** Comes as a request or as a notification. */
  "ui.context.update": { params: uiContext, result: z.looseObject({}) },
  ...engineCalls,
  ...reserved,
} satisfies CallTable;

/** `session_id` and `log_seq`, the number of the question in the log, are ours. */
const inRun = {
  run_id: z.string().optional(),
  session_id: z.string().optional(),
  log_seq: z.int().positive().optional(),
  title: z.string(),
};

/** What the runtime asks of the UI; the id of such a request is the askId. */
export const requests = {
  "ui.confirm.request": {
    params: z.strictObject({
      ...inRun,
      message: z.string(),
      confirm_label: z.string().optional(),
      cancel_label: z.string().optional(),
      danger_level: z.enum(["normal", "danger"]).optional(),
      allow_remember: z.boolean().optional(),
      allow_reason: z.boolean().optional(),
    }),
    result: z.looseObject({ ok: z.boolean(), remember: z.boolean().optional(), reason: z.string().optional() }),
  },
  "ui.prompt.request": {
    params: z.strictObject({
      ...inRun,
      message: z.string(),
      default_value: z.string().optional(),
      multiline: z.boolean().optional(),
      secret: z.boolean().optional(),
    }),
    result: z.looseObject({ value: z.string().nullable() }),
  },
  "ui.pick.request": {
    params: z.strictObject({
      ...inRun,
      items: z.array(z.strictObject({ id: z.string(), label: z.string(), detail: z.string().optional() })),
      multi: z.boolean().optional(),
      /** Ours: it may be answered in one's own words, by `text`. */
      allow_text: z.boolean().optional(),
    }),
    result: z.looseObject({ ids: z.array(z.string()), text: z.string().optional() }),
  },
} satisfies CallTable;
