import type { Doubt, Impact } from "./finding.ts";
import { securityGaps } from "./gaps-of-security.ts";
import { useGaps } from "./gaps-of-use.ts";
import type { Choice } from "./subjects.ts";

/** Something that a feature of its kind needs to say. */
export interface Gap {
  topic: string;
  impact: Impact;
  doubt: Doubt;
  /** A binding statement that speaks of it. */
  when: RegExp;
  /** Of several that speak of it, where it shows best. */
  best?: RegExp;
  /** In how many of them, where one would be too little to tell. */
  times?: number;
  /** Anywhere in the document: it is said, or decided to be left out. */
  settledBy: RegExp;
  message: string;
  question: string;
  affects: string;
  choices: readonly Choice[];
  /** How an answer reads as a requirement; "edge" ones go under the edge cases. */
  becomes: (answer: string) => string;
  edge?: boolean;
}

export const gaps: readonly Gap[] = [...securityGaps, ...useGaps];

/** By the topic of a gap, the subject of questions that ask the same. */
export const gapSubjects: Readonly<Record<string, string>> = {
  authentication: "authentication",
  "password-rules": "authentication",
  permissions: "permissions",
  "sensitive-access": "permissions",
  privacy: "compliance",
  retention: "retention",
  "link-expiry": "expiry",
  "upload-limits": "size",
  channel: "channel",
  "time-zone": "time zone",
  currency: "currency",
  languages: "language",
  "export-format": "format",
  "external-failure": "failure",
};
