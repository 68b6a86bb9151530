import { answer, answerJson } from "./answer.ts";
import type { Metrics } from "./metrics.ts";
import type { Route } from "./route.ts";

/** Whether it is up, and how it does. */
export function statusRoutes({ version, metrics }: { version: string; metrics: Metrics }): Route[] {
  const health = { status: "ok", name: "dragoman", version };
  return [
    { method: "GET", path: "/health", access: "open", handle: ({ response }) => answerJson(response, 200, health) },
    {
      method: "GET",
      path: "/metrics",
      access: "observe",
      handle: ({ response }) => answer(response, 200, "text/plain; version=0.0.4; charset=utf-8", metrics.text()),
    },
  ];
}
