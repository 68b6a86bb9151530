import type { SpecDocument } from "../spec-document.ts";
import { type Claim, claimsIn } from "./claims.ts";
import { contradiction } from "./find-opposites.ts";
import type { Finding } from "./finding.ts";
import { shared, stemsIn } from "./words.ts";

/** Things of one kind, of which a statement can take one and shut out the others. */
interface Family {
  name: string;
  members: readonly RegExp[];
  /** What is done with them: two statements that do different things do not clash. */
  ways: readonly RegExp[];
  /** Words that do not tell what it is done for. */
  loose: RegExp;
}

const families: readonly Family[] = [
  {
    name: "channel",
    members: [
      /\be-?mails?\b/i,
      /\b(?:sms|text messages?)\b/i,
      /\bpush(?: notifications?)?\b/i,
      /\b(?:phone calls?|by phone|called)\b/i,
      /\b(?:letters?|by post)\b/i,
      /\bin-app\b/i,
      /\bwhatsapp\b/i,
      /\bslack\b/i,
    ],
    ways: [/\b(?:sends?|sent|notif\w*|remind\w*|inform\w*|alert\w*|deliver\w*|contact\w*)\b/i],
    loose: /^(?:send|notify|inform|email|sms|push|deliver|contact|messag)/,
  },
  {
    name: "format",
    members: [
      /\bjpe?g\b/i,
      /\bpng\b/i,
      /\bpdf\b/i,
      /\bcsv\b/i,
      /\bxml\b/i,
      /\bjson\b/i,
      /\b(?:xlsx?|excel)\b/i,
      /\b(?:docx?|word)\b(?= (?:files?|documents?)|,| or | and |\.|$)/i,
      /\bgif\b/i,
      /\bheic\b/i,
      /\bmp4\b/i,
    ],
    ways: [
      /\b(?:upload\w*|accept\w*|import\w*|attach\w*|submit\w*)\b/i,
      /\b(?:export\w*|download\w*|return\w*|respon\w*|answer\w*|generat\w*|reports?)\b/i,
    ],
    loose:
      /^(?:upload|accept|import|attach|submit|export|download|return|fil|file|format|typ|support|jpg|jpeg|png|pdf|csv|xml|json|xls|excel|doc|gif|heic|mp4)/,
  },
  {
    name: "payment",
    members: [
      /\b(?:credit |debit )?cards?\b/i,
      /\binvoices?\b/i,
      /\bpaypal\b/i,
      /\bbank transfers?\b/i,
      /\bdirect debit\b/i,
      /\bcash\b/i,
      /\bapple pay\b/i,
    ],
    ways: [/\b(?:pay|pays|paid|payments?|checkout)\b/i],
    loose: /^(?:pay|card|invoic|paypal|bank|transf|direct|debit|cash|apple|credit)/,
  },
];

const ONLY = /\b(?:only|exclusively|solely)\b/i;
const ALL = /^\W*(?:[A-Z]+-[\w-]+\W+)?(?:all|every|each)\b/i;
const EXCUSED = /\b(?:not|never|no|unless|except|if|when|other than|later|also receive|instead of)\b/i;

/** "By email only" against "sends an SMS"; "all responses are JSON" against "JSON or XML". */
export function findExclusives(spec: SpecDocument): Finding[] {
  const claims = claimsIn(spec).filter(({ role, read }) => role !== "scenarios" && !EXCUSED.test(read));
  return families.flatMap((family) => {
    const known = claims
      .map((claim) => ({ claim, members: membersIn(family, claim.read), ways: waysOf(family, claim.read) }))
      .filter(({ members }) => members.size > 0);
    const strict = known.filter(({ claim }) => ONLY.test(claim.read) || ALL.test(claim.read)).slice(0, 50);
    for (const one of strict) {
      const other = known.find(
        (two) =>
          two.claim !== one.claim &&
          [...two.members].some((member) => !one.members.has(member)) &&
          overlap(one.ways, two.ways) &&
          sameMatter(family, one.claim, two.claim, ONLY.test(one.claim.read)),
      );
      if (other) return [clashOf(family, one.claim, other.claim)];
    }
    return [];
  });
}

const membersIn = ({ members }: Family, text: string): Set<number> =>
  new Set(members.flatMap((member, index) => (member.test(text) ? [index] : [])));

const waysOf = ({ ways }: Family, text: string): Set<number> =>
  new Set(ways.flatMap((way, index) => (way.test(text) ? [index] : [])));

function overlap(one: Set<number>, other: Set<number>): boolean {
  return [...one].some((way) => other.has(way));
}

/** They speak of the same thing, or one of them of nothing in particular. "All" counts only for what it names. */
function sameMatter(family: Family, one: Claim, other: Claim, isOnly: boolean): boolean {
  const [these, those] = [one, other].map(
    ({ read }) => new Set([...stemsIn(read)].filter((word) => !family.loose.test(word))),
  ) as [Set<string>, Set<string>];
  return shared(these, those).length > 0 || (isOnly && (these.size === 0 || family.name === "channel"));
}

function clashOf({ name }: Family, one: Claim, other: Claim): Finding {
  const [earlier, later] = one.line <= other.line ? [one, other] : [other, one];
  const says = "one allows nothing but what it names, the other names something else";
  return contradiction(earlier, later, `exclusive-${name}`, "scope", says);
}
