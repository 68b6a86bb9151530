/** Words that tell nothing about what a statement is about. */
const EMPTY = new Set(
  `a an and any are as at be been being both but by can could do does each either every for from had has have how i if in into
  is it its itself may might more most must mustn no nor not of on once one only or other our out over own per same shall should
  so some such than that the their them then there these they this those through to too under until up upon very was we were
  what when where whether which while who whom why will with within without would you your via also all able given system systems user users
  application app service product feature solution platform software ensure ensures provide provides provided allow allows
  allowed support supports supported enable enables make makes made use uses used using least after before during between about
  new using way ways thing things let lets want wants need needs like get gets see sees including include includes e.g i.e etc
  whole first second per them his her it's don't cannot can't won't using click clicks clicked page screen button`
    .split(/\s+/)
    .filter(Boolean),
);

/** A word in the form that its relatives share: "uploads", "uploading" and "uploaded" are "upload". */
export function stem(word: string): string {
  const before = stems.get(word);
  if (before !== undefined) return before;
  if (stems.size >= MOST_REMEMBERED) stems.clear();
  const form = stemOf(word);
  stems.set(word, form);
  return form;
}

/** The same words come again and again, in one document and in the next. */
const stems = new Map<string, string>();
const MOST_REMEMBERED = 5000;

function stemOf(word: string): string {
  let form = word.toLowerCase().replace(/['’]s?$/, "");
  const same = SAME.get(form);
  if (same) return same;
  if (form.length > 4)
    form = form
      .replace(/(?:sses)$/, "ss")
      .replace(/(x|ch|sh)es$/, "$1")
      .replace(/ies$/, "y")
      .replace(/(?<![su])s$/, "");
  if (form.length > 5)
    form = form.replace(/(?:ations?|ments?|ings?|edly|ed|ers?|ors?|ions?|ly|ively|ive|ance|able|al)$/, "");
  if (form.length > 4) form = form.replace(/(.)\1$/, "$1").replace(/(?:e|y|i)$/, "");
  return SAME.get(form) ?? form;
}

/** Words that specs use for the same thing. */
const SAME = new Map(
  [
    ["signin", "login", "logon", "signon"],
    ["remove", "delete", "removed", "removes", "removal", "deleted", "deletion", "deletes", "erase", "erased"],
    ["picture", "photo", "image", "images", "photos", "pictures"],
    ["retain", "keep", "kept", "retained", "retention", "keeps", "retains"],
    ["email", "e-mail", "emails", "mail", "mails"],
    ["send", "sent", "sends"],
    ["buy", "purchase", "purchases", "bought"],
    ["booking", "book", "bookings", "reservation", "reserve", "reservations", "booked", "books", "reserved"],
    ["pay", "payment", "payments", "paid", "pays"],
    ["customer", "client", "customers", "clients"],
    ["administrator", "admin", "admins", "administrators"],
    ["company", "organization", "organisation", "companies", "organizations"],
    ["location", "gps", "position", "positions", "locations", "whereabouts"],
    ["find", "search", "searches", "found", "finds"],
    ["show", "display", "shown", "displayed", "displays", "view", "views", "viewed", "shows"],
    ["change", "edit", "modify", "update", "edits", "edited", "modified", "updated", "updates", "changes", "changed"],
    ["create", "add", "created", "added", "creates", "adds"],
    ["expire", "expiry", "expires", "expired", "expiration"],
    ["cancel", "cancellation", "cancelled", "canceled", "cancels", "cancellations"],
    [
      "notify",
      "notification",
      "notifications",
      "notified",
      "notifies",
      "alert",
      "alerts",
      "remind",
      "reminder",
      "reminders",
    ],
    ["daily", "day", "days"],
    ["respond", "response", "responses", "responds"],
  ].flatMap((group) => group.map((word) => [word, group[0] as string] as const)),
);

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’]*/gu;

/** The stems of the words that a text is about. */
export function stemsIn(text: string): Set<string> {
  const stems = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (word.length < 3 || EMPTY.has(word) || /^\d/.test(word)) continue;
    stems.add(stem(word));
  }
  return stems;
}

export function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  return [...small].filter((word) => large.has(word));
}

/** Code, quoted labels and addresses are blanked with spaces: what stands in them is named, not claimed. */
export function withoutQuoted(text: string): string {
  if (!/["`“«~*_]|http/.test(text)) return text;
  const blank = (found: string): string => " ".repeat(found.length);
  return text
    .replace(/`[^`]{0,300}`/g, blank)
    .replace(/"[^"]{1,120}"|“[^”]{1,120}”|«[^»]{1,120}»/g, blank)
    .replace(/\bhttps?:\/\/\S{1,300}/g, blank)
    .replace(/~~[^~]{1,2000}~~/g, blank)
    .replace(/\*\*|__/g, "  ");
}

/** A mark of spec-kit's, also one that nothing closes. */
export const OPEN_MARK = /\[NEEDS CLARIFICATION[^\]]{0,2000}\]?/gi;

/** Marks are blanked with spaces: what is asked in one is not said. */
export function withoutMarks(text: string): string {
  return text.replace(OPEN_MARK, (found) => " ".repeat(found.length));
}
