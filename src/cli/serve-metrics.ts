import type { Views } from "../dialects/views.ts";
import { Metrics } from "../transports/http/metrics.ts";

/** Numbers about the process; the parts of the server add theirs. */
export function serveMetrics(version: string, views: Views): Metrics {
  const metrics = new Metrics();
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  metrics.gauge("dragoman_info", "Always 1; the label says which version it is.", () => 1, { version });
  metrics.gauge("dragoman_views", "Sessions that are watched, once for each protocol.", () => views.watched);
  metrics.gauge("process_start_time_seconds", "When the process started, since the epoch.", () => startedAt);
  metrics.gauge("process_resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  return metrics;
}
