import type { SpecDocument, Statement } from "../spec-document.ts";
import { type Claim, claimsIn } from "./claims.ts";
import { type Doubt, type Finding, type Impact, nameOf, placeAt, weightOf } from "./finding.ts";
import { shared, stem, stemsIn } from "./words.ts";

interface Opposite {
  topic: string;
  impact: Impact;
  one: RegExp;
  other: RegExp;
  /** How many words of what they are about both must share. */
  share: number;
  /** In either of the two: it is an order of events or an exception, no contradiction. */
  unless?: RegExp;
  /** Stems that are part of what the opposite itself says. Where given, the words of the two patterns count as well. */
  beside?: RegExp;
  says: string;
}

const EXCEPTION =
  /\b(?:unless|except|otherwise|until|afterwards|optional(?:ly)?|if (?:the|a|an|they|it|no)|only (?:when|if|while|after)|depending on|whichever)\b/i;

const opposites: readonly Opposite[] = [
  {
    topic: "sign-in",
    impact: "security",
    one: /\bwithout (?:\w+ )?(?:logging in|signing in|log-?in|sign-?in|an? (?:\w+ )?account|registration|registering|authentication|authenticating)\b|\banonymous(?:ly)? (?:users?|visitors?|access|can|may)\b|\bno (?:account|log-?in|registration|sign-?in|authentication) (?:is |will be |shall be )?(?:required|needed|necessary)\b|\bpublicly (?:accessible|visible|available|viewable)\b|\b(?:guests?|visitors?|anyone|everyone) (?:can|may|must be able to)\b|\bopen to (?:everyone|the public|anyone)\b|\bvisible to (?:everyone|anyone|the public)\b/i,
    other:
      /\b(?:must|have to|has to|need to|needs to|required to) (?:first )?(?:log|sign)(?:ged|ned)? in\b|\bmust be (?:logged|signed) in\b|\bmust (?:be authenticated|authenticate|register|create an account|have an account)\b|\brequires? (?:\w+ )?(?:log-?in|authentication|an account|sign-?in|registration)\b|\b(?:needs?|requires?|must (?:have|send|carry|include|contain)) (?:an? )?(?:valid )?(?:api[- ]keys?|access tokens?|bearer tokens?)\b|\bonly (?:to )?(?:authenticated|registered|logged[- ]in|signed[- ]in)\b|\b(?:log-?in|authentication|sign-?in|registration|an account) (?:is|are|will be|shall be) (?:required|mandatory|needed)\b/i,
    share: 1,
    says: "can be used without signing in, and requires it",
  },
  {
    topic: "offline",
    impact: "scope",
    one: /\b(?:works?|usable|available|functions?|read|edit|access\w*|use[sd]?|operate[sd]?|continue[sd]?|record\w*|create[sd]?)\b.{0,60}\b(?:offline|without (?:an? |any )?(?:\w+ )?(?:internet|network|connection|connectivity))\b|\boffline (?:mode|use|access|support|first)\b/i,
    other:
      /\b(?:requires?|needs?|depends on|only works? with) (?:an? )?(?:\w+ )?(?:internet|network|online) ?(?:connection|connectivity|access)?\b|\bonly (?:works?|available|usable) (?:online|when online|while (?:online|connected))\b|\bmust (?:always )?be (?:online|connected)\b|\bno offline\b|\boffline (?:use|mode|access) (?:is|will) not\b/i,
    share: 0,
    unless: /\b(?:when the connection|once (?:online|connected)|to (?:sync\w*|install|sign|log))\b/i,
    says: "works offline, and needs a connection",
  },
  {
    topic: "timeliness",
    impact: "technique",
    one: /\b(?:in )?(?:near[- ])?real[- ]?time\b|\bsynchronously\b|\b(?:updat|sync|appear|visibl|reflect|show|availabl|deliver|process|calculat|refresh)\w*\b.{0,40}\b(?:immediately|instantly)\b|\b(?:immediately|instantly) (?:updat|sync|appear|visibl|reflect|show|availabl|deliver|process|calculat|refresh)\w*|\blive (?:updates?|data|view|inventory|stock)\b/i,
    other:
      /\b(?:nightly|overnight|asynchronously|batch(?:es)?|end of (?:the )?day)\b|\b(?:updat|refresh|sync|calculat|sent|generat|import|process|run|deliver|recalculat)\w* (?:\w+ ){0,3}(?:daily|hourly|once (?:a|per) (?:day|hour|week|night)|every (?:night|day|hour|week|\d+ (?:minutes|hours|days)))\b|\b(?:daily|hourly|weekly) (?:batch|job|sync|update|import|run|refresh|export)\b/i,
    share: 2,
    says: "happens at once, and only from time to time",
  },
  {
    topic: "deletion",
    impact: "security",
    one: /\b(?:permanent(?:ly)?|irreversibl[ey]|irrecoverabl[ey]|immediately and (?:permanently|completely)) (?:and \w+ )?(?:delet\w+|remov\w+|eras\w+|purg\w+)|\b(?:delet|remov|eras|purg)\w+ (?:\w+ ){0,4}(?:permanently|irreversibly|irrevocably|for good)\b|\bhard[- ]delet\w+|\bcannot be (?:recovered|restored|undone|undeleted)\b|\bis gone for good\b/i,
    other:
      /\b(?:recover(?:able|ed|s)?|restor(?:e|es|ed|able)|undelet\w+|undo)\b|\bsoft[- ]delet\w+|\b(?:trash|recycle bin)\b|\b(?:kept|retained|stored|preserved|archived) (?:forever|indefinitely|permanently)\b|\bnever (?:be )?(?:deleted|removed|erased|purged)\b/i,
    share: 1,
    unless:
      /\b(?:after \d+|after that|then|older than|\d+ days? (?:later|after)|within \d+ (?:days?|hours?)|backups?)\b/i,
    says: "is deleted for good, and can be brought back",
  },
  {
    topic: "anonymity",
    impact: "security",
    one: /\b(?:anonymous(?:ly)?|anonymi[sz]ed|without (?:any )?(?:identifying|personal) (?:data|information))\b|\b(?:MUST NOT|must never|never) (?:store|record|track|log|collect|reveal|show)s?\b.{0,60}\b(?:identity|names?|personal|ip address(?:es)?|who)\b|\bno personal (?:data|information)\b/i,
    other:
      /\b(?:records?|stores?|logs?|tracks?|shows?|displays?|saves?|includes?|collects?|record|store|log|track|show|display|save|include|collect|sees?|views?)\b.{0,60}\b(?:name|names|identity|ip address(?:es)?|e-?mail address(?:es)?|employee id|user id|author|who (?:submitted|voted|wrote|answered|responded|sent))\b/i,
    share: 1,
    beside: /^(?:nam|show|record|stor|log|track|display|identit|list|save|sav|collect|includ|retain)/,
    says: "is anonymous, and is shown or recorded with who it was",
  },
  {
    topic: "erasure",
    impact: "security",
    one: /\ball (?:of )?(?:their|his|her|the|its|personal) (?:\w+ ){0,2}data\b.{0,60}\b(?:delet|eras|remov|purg)\w*|\b(?:delet|eras|remov|purg)\w*\b.{0,40}\ball (?:of )?(?:their|his|her|the|its|personal) (?:\w+ ){0,2}data\b/i,
    other:
      /\b(?:kept|retained|stored|archived|keeps?|retains?|stores?)\b.{0,60}\b(?:\d+|one|two|three|five|six|seven|ten) (?:months?|years?)\b.{0,60}\b(?:names?|e-?mails?|address(?:es)?|personal)\b|\b(?:names?|e-?mails?|address(?:es)?|personal)\b.{0,60}\b(?:kept|retained|stored|archived)\b.{0,40}\b(?:\d+|one|two|three|five|six|seven|ten) (?:months?|years?)\b/i,
    share: 0,
    says: "is erased on request, and is kept for years with the person's name",
  },
  {
    topic: "approval",
    impact: "scope",
    one: /\b(?:approved|accepted|published|released|paid|confirmed|granted)\b.{0,30}\bautomatically\b|\bautomatically (?:approv|accept|publish|releas|pa(?:y|id)|confirm|grant)\w*|\bwithout (?:\w+ )?(?:approval|review|moderation)\b/i,
    other:
      /\b(?:every|each|all|any)\b.{0,60}\b(?:approved|reviewed|checked|confirmed|released|moderated|signed off) (?:by|before)\b|\b(?:every|each|all|any)\b.{0,40}\b(?:needs?|requires?) (?:\w+ ){0,2}(?:approval|review|moderation|sign-off)\b/i,
    share: 1,
    beside: /^(?:approv|automatic|review|accept|publish|confirm|releas|check|moderat|pay)/,
    says: "happens by itself, and only with somebody's approval",
  },
  {
    topic: "default",
    impact: "use",
    one: /\b(?:enabled|on|visible|public|opt(?:ed)?[- ]out|turned on|switched on) by default\b/i,
    other: /\b(?:disabled|off|hidden|private|opt(?:ed)?[- ]in|turned off|switched off) by default\b|\bopt[- ]in\b/i,
    share: 1,
    says: "is on by default, and off by default",
  },
  {
    topic: "limit",
    impact: "scope",
    one: /\b(?:unlimited|no (?:upper )?limits? (?:on|to|for)|any number of|as many \w+ as|without (?:a |any )?limits?)\b/i,
    other: /\b(?:at most|up to|no more than|max(?:imum)?(?: of)?|limit(?:ed)? (?:of|to)|not exceed)\b.{0,20}\d/i,
    share: 1,
    says: "has no limit, and has one",
  },
];

/** Two statements that cannot both hold. */
export function findOpposites(spec: SpecDocument): Finding[] {
  const claims = claimsIn(spec);
  return opposites.flatMap((opposite) => pairOf(opposite, claims));
}

/** The first pair that clashes: more of the same would be asked with the same question. */
function pairOf(opposite: Opposite, claims: Claim[]): Finding[] {
  const fits = (pattern: RegExp): number[] => claims.flatMap(({ read }, index) => (pattern.test(read) ? [index] : []));
  const others = fits(opposite.other);
  for (const a of fits(opposite.one).slice(0, 50)) {
    for (const b of others.slice(0, 50)) {
      const [one, other] = [claims[Math.min(a, b)], claims[Math.max(a, b)]];
      if (a === b || !one || !other || !clash(opposite, claims[a]?.read ?? "", claims[b]?.read ?? "")) continue;
      return [findingOf(opposite, one, other)];
    }
  }
  return [];
}

function clash({ topic, one, other, share, unless, beside }: Opposite, a: string, b: string): boolean {
  if (EXCEPTION.test(a) || EXCEPTION.test(b) || unless?.test(a) || unless?.test(b)) return false;
  const [a2, b2] = beside ? [a.replace(one, " "), b.replace(other, " ")] : [a, b];
  if (one.test(b2) || other.test(a2)) return false; // one that says both draws the line itself
  const universal =
    /\b(?:any|all|every|whole|entire)\b.{0,30}\b(?:pages?|features?|functions?|parts?|screens?|application|app|site|system|content|access|requests?|calls?|endpoints?)\b|\bto (?:use|access) the (?:app(?:lication)?|site|system|service|platform)\b|\bbefore (?:using|accessing)\b/i;
  if (!samePeople(a, b, topic === "sign-in")) return false;
  const rest = (text: string, pattern: RegExp): Set<string> => stemsIn(beside ? text : text.replace(pattern, " "));
  const common = shared(rest(a, one), rest(b, other)).filter((word) => !PEOPLE.test(word) && !beside?.test(word));
  return common.length >= share || (share === 1 && (universal.test(a) || universal.test(b)));
}

const ROLES =
  /\b(?:admin\w*|guests?|members?|staff|visitors?|owners?|editors?|managers?|moderators?|customers?|sellers?|buyers?|patients?|doctors?|providers?|receptionists?|nurses?|teachers?|students?|drivers?|employees?|tenants?|organi[sz]ers?|operators?|clients?)\b/gi;
const EVERYBODY = /\b(?:users?|everyone|everybody|people|persons?|all)\b/i;
/** Who must sign in before anything else is everybody. */
const OUTSIDERS = /\b(?:visitors?|guests?|readers?|anyone)\b.{0,30}\b(?:must|have to|need to|required to)\b/i;
const PEOPLE =
  /^(?:administrat|admin|guest|memb|visit|owner|own|edit|manag|moderat|customer|sell|buy|patient|doctor|provid|receptionist|nurs|teach|student|driv|employe|tenant|organiz|operat|staff|regist|person|anyon|everyon)/;

/** What holds for staff says nothing of patients. Where `strict`, the second must speak of everybody or of the same people. */
function samePeople(a: string, b: string, strict: boolean): boolean {
  const [one, other] = [a, b].map((text) => new Set([...text.matchAll(ROLES)].map(([role]) => stem(role))));
  if (!one || !other?.size || EVERYBODY.test(b) || OUTSIDERS.test(b)) return true;
  return (one.size === 0 && !strict) || (EVERYBODY.test(a) && !strict) || shared(one, other).length > 0;
}

function findingOf(opposite: Opposite, earlier: Statement, later: Statement): Finding {
  return contradiction(
    earlier,
    later,
    `opposite-${opposite.topic}`,
    opposite.impact,
    `the same thing ${opposite.says}`,
  );
}

export function contradiction(
  earlier: Statement,
  later: Statement,
  topic: string,
  what: Impact,
  says: string,
  how: Doubt = "torn",
): Finding {
  const [first, second] = [nameOf(earlier.owner, earlier.line), nameOf(later.owner, later.line)];
  const other = first.startsWith("line") ? first : `${first} (line ${earlier.line})`;
  return {
    kind: "contradictory",
    message: `${second} contradicts ${earlier.line === later.line ? "itself" : other}: ${says}.`,
    place: placeAt(later.line, later.text),
    weight: weightOf(what, how),
    topic,
    words: later.block.text,
    owner: later.owner,
    other: placeAt(earlier.line, earlier.text),
    values: [earlier.text, later.text],
  };
}
