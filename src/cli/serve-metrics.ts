import type { Runtime } from "../core/runtime.ts";
import type { Views } from "../dialects/views.ts";
import { Metrics } from "../transports/http/metrics.ts";
import type { LiveListener } from "../transports/live-listener.ts";

const LISTENING = "Whether the live protocol is spoken at a Unix socket, or at a port of its own.";
const CONNECTIONS = "Connections there, of those who are known.";

/** Where `live` is spoken besides HTTP, and how many are connected there. */
export function liveMetrics(metrics: Metrics, live: LiveListener): void {
  for (const over of ["socket", "port"] as const) {
    const listens = () => Number(live.knownOver(over) !== undefined);
    metrics.gauge("dragoman_live_listening", LISTENING, listens, { over });
    metrics.gauge("dragoman_live_connections", CONNECTIONS, () => live.knownOver(over) ?? 0, { over });
  }
}

/** Numbers about the process; the parts of the server add theirs. */
export function serveMetrics(version: string, { views, runtime }: { views: Views; runtime: Runtime }): Metrics {
  const metrics = new Metrics();
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  metrics.gauge("dragoman_info", "Always 1; the label says which version it is.", () => 1, { version });
  metrics.gauge("dragoman_views", "Sessions that are watched, once for each protocol.", () => views.watched);
  metrics.gauge("dragoman_sessions", "Sessions that this process has.", () => runtime.load.sessions);
  metrics.gauge("dragoman_sessions_busy", "Those with a run under way or waiting.", () => runtime.load.busy);
  metrics.gauge("process_start_time_seconds", "When the process started, since the epoch.", () => startedAt);
  metrics.gauge("process_resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  return metrics;
}
