export type BadgeTone = "neutral" | "good" | "wait" | "bad" | "info";

const toneWords: Record<Exclude<BadgeTone, "neutral">, readonly string[]> = {
  good: [
    ...["active", "approved", "available", "complete", "completed", "confirmed", "connected"],
    ...["delivered", "done", "enabled", "healthy", "live", "merged", "ok", "online", "paid"],
    ...["passed", "published", "ready", "resolved", "running", "succeeded", "success", "valid"],
    ...["verified", "yes"],
  ],
  wait: [
    ...["awaiting", "hold", "paused", "pending", "processing", "progress", "queued", "review"],
    ...["scheduled", "trial", "trialing", "unpaid", "waiting", "warning", "medium"],
  ],
  bad: [
    ...["blocked", "canceled", "cancelled", "critical", "dead", "declined", "deleted", "denied"],
    ...["down", "error", "expired", "failed", "failure", "fatal", "high", "invalid", "overdue"],
    ...["refused", "rejected", "removed", "revoked", "suspended", "unhealthy", "urgent"],
  ],
  info: ["created", "draft", "info", "new", "open", "opened", "placed", "sent", "shipped"],
};

/** The tone that a status suggests, by any word of it. Most values suggest none. */
export function toneOf(value: string): BadgeTone {
  const words = value.toLowerCase().split(/[^a-z]+/);
  if (words.includes("not") || words.includes("no")) return "neutral";
  for (const tone of ["bad", "wait", "good", "info"] as const) {
    if (words.some((word) => toneWords[tone].includes(word))) return tone;
  }
  return "neutral";
}
