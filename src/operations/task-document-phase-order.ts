import type { Phase } from "./task-document.ts";

/** spec-kit: "**Foundational (Phase 2)**: Depends on Setup completion - BLOCKS all user stories". */
export function orderPhases(text: string, phases: Phase[]): void {
  const [subject = "", rest = ""] = /^(.{0,120}?)\b(?:depends? on|after)\b(.*)$/i.exec(text)?.slice(1) ?? [];
  if (rest === "" || /\bno dependencies\b/i.test(text)) return;
  for (const phase of phasesNamed(subject, phases)) {
    for (const needed of phasesNamed(rest.split(/\s-\s|\bblocks\b|\bno dependencies\b/i)[0] ?? "", phases)) {
      const at = phases.indexOf(needed);
      if (needed !== phase && at < phases.indexOf(phase) && !phase.needs.includes(at)) phase.needs.push(at);
    }
  }
}

function phasesNamed(text: string, phases: Phase[]): Phase[] {
  const numbers = new Set(
    [...text.matchAll(/\bphase\s{0,3}(\d{1,3}(?:\.\d{1,2})?)(?![\d.+])/gi)].map(([, number]) => number),
  );
  const onwards = Number(/\bphase\s{0,3}(\d{1,3})\s?\+/i.exec(text)?.[1] ?? Number.NaN);
  const kinds = new Set(Object.entries(KIND_WORDS).flatMap(([kind, words]) => (words.test(text) ? [kind] : [])));
  if (numbers.size === 0 && Number.isNaN(onwards) && kinds.size === 0) return [];
  return phases.filter(({ number, kind }) => {
    if (kind === "story" && !Number.isNaN(onwards)) return Number(number) >= onwards;
    return (number !== undefined && numbers.has(number)) || kinds.has(kind);
  });
}

const KIND_WORDS = {
  setup: /\bset-?up\b/i,
  foundation: /\bfoundation\w*/i,
  story: /\ball (?:desired |selected )?user stories\b/i,
  polish: /\bpolish\b/i,
} as const;
