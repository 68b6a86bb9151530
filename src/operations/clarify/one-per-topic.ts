import type { Finding } from "./finding.ts";
import { gapSubjects } from "./gaps.ts";
import { subjectOf } from "./subjects.ts";

/** Of findings on one line about one thing the heaviest stays: "various languages" is also that none is named. */
export function onePerTopic(findings: readonly Finding[]): Finding[] {
  const kept = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.place.line} ${aboutOf(finding)}`;
    const before = kept.get(key);
    if (!before || before.weight < finding.weight) kept.set(key, finding);
  }
  return [...kept.values()];
}

function aboutOf({ topic = "", words = "", message }: Finding): string {
  const gap = topic.startsWith("gap-") ? gapSubjects[topic.slice("gap-".length)] : undefined;
  if (gap) return gap;
  const subject = topic === "vague-extent" || topic === "vague-protection" ? subjectOf(words)?.name : undefined;
  return subject ?? (topic || message);
}
