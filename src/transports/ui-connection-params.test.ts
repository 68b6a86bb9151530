import { describe, expect, test } from "vitest";
import { calls } from "../dialects/ui/calls.ts";
import { scripted } from "../testing/scripted.ts";
import { uiWire, type WireMessage } from "../testing/ui-wire.ts";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { tools } from "../tools/index.ts";

// What a UI may send with each method: all fields that there are, those that must be there, and what the others are by default.

type Method = keyof typeof calls;
type Json = Record<string, unknown>;

interface Row {
  required: Json;
  /** With every optional field; `SESSION` and `ARTIFACT` stand for ids that there are. */
  all: Json;
  defaults?: Json;
}

const range = { start: { line: 0, column: 0 }, end: { line: 1, column: 2 } };
const context = {
  cwd: "/w",
  workspace_root: "/w",
  active_file: { path: "a.ts", language_id: "typescript" },
  selection: { path: "a.ts", range, selected_text: "x" },
  extensions: { any: [1] },
};
const program = { name: "test-ui", version: "1" };
const ui_capabilities = {
  supports_confirm: true,
  supports_prompt: true,
  supports_pick: true,
  supports_markdown: true,
  supports_images: true,
  supports_permission_preflight_events: true,
  supports_tool_output: true,
};
const input = { type: "text", text: "hi" };

const rows: Record<Method, Row> = {
  initialize: {
    required: { protocol_version: "0", client: program },
    all: { protocol_version: "0", client: program, ui_capabilities },
  },
  "run.start": {
    required: { input },
    all: {
      ...{ input, session_id: "SESSION", ui_context: context, meta: { any: [1] } },
      ...{ engine: "scripted", model: "script-1" },
    },
  },
  "run.cancel": { required: { run_id: "RUN" }, all: { run_id: "RUN", reason: "enough" } },
  "session.list": { required: {}, all: { limit: 3, workspace_root: "/w" }, defaults: { limit: 50 } },
  "session.history": {
    required: { session_id: "SESSION" },
    all: { session_id: "SESSION", max_runs: 1, max_events: 5 },
    defaults: { max_runs: 20, max_events: 1500 },
  },
  "session.watch": { required: { session_id: "SESSION" }, all: { session_id: "SESSION", after: 1 } },
  "session.unwatch": { required: { session_id: "SESSION" }, all: { session_id: "SESSION" } },
  "model.list": {
    required: {},
    all: { provider: "acme", include_details: true, engine: "scripted", session_id: "SESSION" },
    defaults: { provider: "openai", include_details: false },
  },
  "model.set": {
    required: { name: "script-1" },
    all: { name: "script-1", provider: "acme", session_id: "SESSION" },
    defaults: { provider: "openai" },
  },
  "engine.list": { required: {}, all: { session_id: "SESSION" } },
  "engine.set": { required: { name: "scripted" }, all: { name: "scripted", model: "script-1", session_id: "SESSION" } },
  "mcp.list": { required: {}, all: { scope: "configured" }, defaults: { scope: "loaded" } },
  "skills.list": { required: {}, all: { cwd: "/w", force_reload: true }, defaults: { force_reload: false } },
  "ui.context.update": { required: {}, all: context },
  "artifact.list": {
    required: {},
    all: { session_id: "SESSION", after: 0, limit: 5 },
    defaults: { after: 0, limit: 100 },
  },
  "artifact.read": {
    required: { artifact_id: "ARTIFACT" },
    all: { session_id: "SESSION", artifact_id: "ARTIFACT", offset: 1, limit: 5 },
    defaults: { offset: 0, limit: 64 * 1024 },
  },
  "workspace.list": {
    required: {},
    all: { path: ".", depth: 2, limit: 5 },
    defaults: { path: ".", depth: 1, limit: 1000 },
  },
  "workspace.read": {
    required: { path: "a.ts" },
    all: { path: "a.ts", start_line: 1, max_lines: 5 },
    defaults: { start_line: 1, max_lines: 2000 },
  },
  "workspace.search": {
    required: { query: "x" },
    all: { query: "x", regex: true, case_sensitive: true, path: ".", glob: "*.ts", limit: 5 },
    defaults: { regex: false, case_sensitive: false, path: ".", limit: 200 },
  },
  "history.export": {
    required: {},
    all: { session_id: "SESSION", format: "markdown", after: 0, limit: 5 },
    defaults: { format: "jsonl", after: 0, limit: 1000 },
  },
  "todos.list": { required: {}, all: { session_id: "SESSION" } },
};

const workspace = temporaryWorkspaces();

/** A wire on which a run has been, with an artifact. */
async function usedWire() {
  const engine = scripted(async () => "x".repeat(100_000));
  const ui = uiWire({ engines: [engine], tools, workspace: workspace().files({ "a.ts": "x\n" }).path });
  const { run_id, session_id } = await ui.result("run.start", { input });
  await ui.status(run_id, "completed");
  const [artifact] = (await ui.result("artifact.list")).artifacts;
  const ids: Record<string, string> = { SESSION: session_id, RUN: run_id, ARTIFACT: artifact.artifact_id };
  const named = (params: unknown) =>
    JSON.parse(JSON.stringify(params), (_, value) => (typeof value === "string" ? (ids[value] ?? value) : value));
  const call = async (method: string, params: unknown): Promise<WireMessage> => {
    const response = await ui.call(method, named(params));
    const started = method === "run.start" ? response.result?.run_id : undefined;
    if (started) await ui.status(started, "completed");
    return response;
  };
  return { ...ui, call };
}

/** Whatever is in these is the UI's own. */
const free = ["meta", "extensions"];

function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null || free.includes(path.at(-1) ?? "")) return [path];
  const inner = Object.entries(value).flatMap(([key, each]) => pathsIn(each, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function changed(params: Json, [key = "", ...rest]: string[], value: unknown): Json {
  return { ...params, [key]: rest.length === 0 ? value : changed(params[key] as Json, rest, value) };
}

function withExtra(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExtra);
  if (typeof value !== "object" || value === null) return value;
  const known = Object.entries(value).map(([key, each]) => [key, withExtra(each)]);
  return { ...Object.fromEntries(known), tools: [{ name: "t" }], tool_choice: null, "x-later": { deep: [] } };
}

describe.each(Object.entries(rows))("%s", (method, { required, all, defaults = {} }) => {
  test("fills in what is left out", () => {
    expect(calls[method as Method].params.parse(required)).toEqual({ ...defaults, ...required });
  });

  test("takes every field, unknown ones in every object, and null for one that may be left out", async () => {
    const { call } = await usedWire();
    const optional = Object.keys(all).filter((key) => !(key in required));
    const nulls = Object.fromEntries(optional.map((key) => [key, null]));
    for (const params of [required, all, withExtra(all), { ...required, ...nulls }]) {
      expect(await call(method, params)).toEqual({ jsonrpc: "2.0", id: expect.any(String), result: expect.anything() });
    }
  });

  test("says of which field the type is wrong", async () => {
    const { call, messages, faults } = await usedWire();
    for (const path of pathsIn(all)) {
      for (const wrong of [["a list"], 1.5]) {
        expect(await call(method, changed(all, path, wrong))).toEqual({
          jsonrpc: "2.0",
          id: expect.any(String),
          error: {
            code: -32602,
            message: expect.stringMatching(new RegExp(`^${method}: (?:.*\n)*${path.join("\\.")}: (?:must|is)`)),
            data: { code: "invalid_params" },
          },
        });
      }
    }
    for (const key of Object.keys(required)) {
      expect(await call(method, changed(all, [key], null))).toMatchObject({ error: { code: -32602 } });
    }
    expect([messages.filter((m) => m.id === null), faults]).toEqual([[], []]);
  });
});
