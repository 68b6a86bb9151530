import type { Impact } from "./finding.ts";

export interface Choice {
  label: string;
  detail?: string;
}

/** What a question can be about, how much hangs on it, and what is usually chosen, the most sensible first. */
export interface Subject {
  name: string;
  impact: Impact;
  pattern: RegExp;
  affects: string;
  choices: readonly Choice[];
}

export const choice = (label: string, detail?: string): Choice => ({ label, detail });

export const LEAVE_OUT = choice("Left out of this version");

/** The first that fits counts, so the narrow ones come before the wide. */
export const subjects: readonly Subject[] = [
  {
    name: "session",
    impact: "security",
    pattern:
      /\bsessions?\b|\b(?:sign|log)(?:s|ged|ned|ging|ning)?(?: \w+){0,2} (?:out|off)\b|\binactiv\w*|\bidle\b|\bwithout activity\b/i,
    affects: "how long a screen that somebody left can be misused, and how often people must sign in again",
    choices: [
      choice("30 minutes", "Long enough to work with, short enough for a shared desk."),
      choice("15 minutes", "Where the data is sensitive."),
      choice("8 hours", "A working day."),
      choice("30 days", "Where people choose to be remembered."),
    ],
  },
  {
    name: "expiry",
    impact: "security",
    pattern:
      /\b(?:links?|tokens?|invitations?|codes?)\b.{0,60}\b(?:expir\w*|valid(?:ity)?|time-?out|lifetime)\b|\b(?:expir\w*|valid(?:ity)?|time-?out|lifetime)\b.{0,60}\b(?:links?|tokens?|invitations?|codes?)\b/i,
    affects: "how long a stolen link can be misused, and how often people must ask for a new one",
    choices: [
      choice("24 hours", "Long enough to be used the next day, short enough to limit misuse."),
      choice("1 hour", "Safer; people who come late ask again."),
      choice("7 days"),
    ],
  },
  {
    name: "authentication",
    impact: "security",
    pattern:
      /\b(?:auth(?:enticat\w*|n)?\b|log(?:ged)?[- ]?in|sign(?:ed)?[- ]?(?:in|on|up)|sso|oauth|credentials?|identity provider|register|registration)\b/i,
    affects: "the sign-in screens, account recovery, and what has to be protected",
    choices: [
      choice("Email and password", "Works for everyone and depends on nobody else."),
      choice("Single sign-on (OAuth 2.0 or OpenID Connect)", "No passwords to keep; needs an identity provider."),
      choice("Magic link sent by email"),
      choice("Reuse the sign-in that the product already has"),
    ],
  },
  {
    name: "permissions",
    impact: "security",
    pattern:
      /\b(?:permissions?|roles?|access (?:control|rights|levels?)|authori[sz]\w*|who (?:can|may|is allowed|should)|which users|privileges?|allowed to|visib(?:le|ility) (?:to|for|of)|private|public(?:ly)? (?:or|vs|visible|access\w*))\b/i,
    affects: "every check of who may see and change what, and the tests for it",
    choices: [
      choice("Only the owner and administrators", "The least that works; more can be opened later."),
      choice("Every signed-in user"),
      choice("Members of the same team or organization"),
      choice("Everyone, without signing in"),
    ],
  },
  {
    name: "retention",
    impact: "security",
    pattern:
      /\b(?:reten(?:tion|d)|retain\w*|kept|keep|how long .{0,20}(?:stay|remain|available|last)|archiv\w*|purg\w*|delet\w*|stored? for|store|history)\b/i,
    affects: "storage, privacy duties, and what people can still find later",
    choices: [
      choice("90 days, then deleted", "Questions from users rarely reach further back."),
      choice("30 days, then deleted"),
      choice("1 year, then deleted"),
      choice("Until the user deletes it"),
      choice("7 years", "Where bookkeeping or health law asks for it."),
    ],
  },
  {
    name: "compliance",
    impact: "security",
    pattern: /\b(?:gdpr|hipaa|pci|complian\w*|regulat\w*|legal\w*|privacy|consent|personal data|sensitive)\b/i,
    affects: "consent, storage, logging and what must be shown to an auditor",
    choices: [
      choice("GDPR: consent, export and deletion on request", "The strictest of the common ones for personal data."),
      choice("Sector rules apply (HIPAA, PCI DSS)", "Name them in the answer if they do."),
      choice("No personal data is stored"),
    ],
  },
  {
    name: "encryption",
    impact: "security",
    pattern: /\b(?:encrypt\w*|secur\w*|protect\w*)\b/i,
    affects: "key management, hosting and the security tests",
    choices: [
      choice("TLS in transit and AES-256 at rest", "What most reviews ask for."),
      choice("TLS in transit only"),
      choice("End-to-end encryption"),
    ],
  },
  {
    name: "size",
    impact: "use",
    pattern:
      /\b(?:file|upload|attachment|image|photo|document|video)s?\b.{0,60}\b(?:size|limits?|large|big|maximum|max|exceed)\b|\b(?:size|maximum|max)\b.{0,60}\b(?:file|upload|attachment|image|photo|document|video)s?\b|\b[MG]B\b/i,
    affects: "upload handling, storage cost and the error people see",
    choices: [
      choice("10 MB", "Enough for photos and documents."),
      choice("25 MB", "What mail programs allow."),
      choice("100 MB"),
      choice("1 GB", "Needs uploads that can be resumed."),
    ],
  },
  {
    name: "format",
    impact: "scope",
    pattern: /\b(?:formats?|file types?|csv|pdf|export\w*|import\w*)\b/i,
    affects: "what has to be written, read and tested",
    choices: [choice("CSV", "Opens everywhere."), choice("PDF"), choice("JSON"), choice("CSV and PDF")],
  },
  {
    name: "channel",
    impact: "use",
    pattern: /\b(?:notif\w*|alert\w*|remind\w*|inform\w*|email or|sms|push|channels?)\b/i,
    affects: "which services are needed and what people can switch off",
    choices: [
      choice("Email", "Everyone has it, and nothing must be installed."),
      choice("In-app only"),
      choice("Email and in-app"),
      choice("Push notification"),
      choice("SMS"),
    ],
  },
  {
    name: "currency",
    impact: "use",
    pattern: /\b(?:currenc\w*|price|payment|tax|vat|invoice|refund|fee)s?\b/i,
    affects: "amounts, rounding, invoices and payment providers",
    choices: [
      choice("One currency", "Simplest; name it in the answer."),
      choice("The customer's currency, converted at checkout"),
      choice("Several currencies with prices set for each"),
    ],
  },
  {
    name: "time zone",
    impact: "use",
    pattern: /\btime ?zones?\b|\blocal time\b|\b(?:deadline|schedul\w*|calendar)\b/i,
    affects: "what time people see, and when things become due",
    choices: [
      choice("Each user's own time zone", "Stored in UTC, shown as the viewer's clock has it."),
      choice("The time zone of the place or organization"),
      choice("UTC everywhere"),
    ],
  },
  {
    name: "language",
    impact: "scope",
    pattern: /\b(?:languages?|locali[sz]\w*|translat\w*|internationali[sz]\w*|i18n)\b/i,
    affects: "every text, date and number that is shown",
    choices: [
      choice("English only", "Others can follow once texts are kept apart."),
      choice("English and Spanish"),
      choice("English, French and German"),
    ],
  },
  {
    name: "concurrency",
    impact: "use",
    pattern: /\b(?:concurren\w*|simultaneous\w*|same time|conflict\w*|at once|collaborat\w*)\b/i,
    affects: "whether people lose work, and how data is stored",
    choices: [
      choice("The second one is told and decides", "Nobody's work is lost silently."),
      choice("The last write wins"),
      choice("It is locked while someone edits it"),
    ],
  },
  {
    name: "failure",
    impact: "use",
    pattern: /\b(?:fail\w*|errors?|unavailable|down\b|time ?out|offline|retr(?:y|ies))\b/i,
    affects: "what people see when something breaks, and what operators must watch",
    choices: [
      choice("Show an error and let the user try again", "Nothing happens behind the user's back."),
      choice("Retry in the background, then tell the user"),
      choice("Go on without it and mark the result as incomplete"),
    ],
  },
  {
    name: "deadline",
    impact: "use",
    pattern:
      /\b(?:answer|reply|respond|decide|review|approve|process|deliver)\w*\b.{0,60}\b(?:within|deadline|by when|turnaround|target response)\b|\b(?:turnaround|by when)\b/i,
    affects: "what people are promised, and who has to be there for it",
    choices: [
      choice("1 working day", "What most people accept."),
      choice("4 hours, in working hours"),
      choice("2 working days"),
      choice("5 working days"),
    ],
  },
  {
    name: "speed",
    impact: "use",
    pattern: /\b(?:performan\w*|fast|quick\w*|latency|response times?|speed|how (?:fast|quickly|soon))\b/i,
    affects: "the architecture and the load tests",
    choices: [
      choice("under 1 second", "What people still feel as one step."),
      choice("under 200 ms", "Feels immediate; costs more."),
      choice("under 3 seconds"),
    ],
  },
  {
    name: "scale",
    impact: "technique",
    pattern:
      /\b(?:scal\w*|concurrent users|how many|volume|load|traffic|throughput|number of|maximum|limit|quota|rate)\b/i,
    affects: "sizing, limits and the load tests",
    choices: [
      choice("Up to 100", "A first team or customer."),
      choice("Up to 1,000"),
      choice("Up to 10,000"),
      choice("No limit"),
    ],
  },
  {
    name: "frequency",
    impact: "use",
    pattern: /\b(?:how often|frequen\w*|interval|schedule|periodic\w*|sync\w*|refresh)\b/i,
    affects: "how current the data is, and the load on other systems",
    choices: [
      choice("Every 15 minutes", "Current enough for most work."),
      choice("Immediately on change"),
      choice("Once an hour"),
      choice("Once a day"),
    ],
  },
  {
    name: "platform",
    impact: "scope",
    pattern: /\b(?:browsers?|devices?|mobile|desktop|platforms?|ios|android)\b/i,
    affects: "what has to be built and tested",
    choices: [
      choice("Web, in the last two versions of the major browsers", "Covers desktop and mobile with one code base."),
      choice("Web and native mobile apps"),
      choice("Desktop browsers only"),
    ],
  },
];

/** What anything of an unknown length may last. */
export const durations: readonly Choice[] = [
  choice("24 hours", "A day is what people plan with."),
  choice("1 hour"),
  choice("7 days"),
  choice("30 days"),
];

const MOST_READ = 400;

export function subjectOf(text: string): Subject | undefined {
  const words = text.slice(0, MOST_READ);
  return subjects.find((subject) => subject.pattern.test(words));
}
