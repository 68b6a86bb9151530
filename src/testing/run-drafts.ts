import type { Draft } from "../core/store.ts";

const by = { dialect: "test" };

export const started = (runId: string, at: number): Draft => ({
  type: "run.started",
  runId,
  kind: "prompt",
  input: { text: "go" },
  by,
  at,
});
export const completed = (runId: string, at: number): Draft => ({
  type: "run.completed",
  runId,
  result: { text: "" },
  at,
});
export const run = (runId: string, at: number, ...between: Draft[]): Draft[] => [
  started(runId, at),
  ...between,
  completed(runId, at),
];
export const queued = (runId: string, at: number, artifactId?: string): Draft => ({
  type: "run.queued",
  runId,
  kind: "prompt",
  input: { text: "next", artifactId },
  by,
  at,
});
export const made = (artifactId: string, at: number): Draft => ({
  type: "artifact.created",
  runId: "r",
  artifactId,
  kind: "file",
  name: artifactId,
  bytes: 5000,
  sha256: "",
  at,
});
