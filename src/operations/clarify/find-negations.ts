import type { SpecDocument } from "../spec-document.ts";
import { type Claim, claimsIn } from "./claims.ts";
import { contradiction } from "./find-opposites.ts";
import type { Finding } from "./finding.ts";
import { shared, stemsIn } from "./words.ts";

interface Clause {
  stems: Set<string>;
  /** The first word that tells something: what is done. */
  action: string;
  who: string;
  /** Said of whoever it may be: in the passive, of nobody in particular. */
  ofAnyone: boolean;
  /** "At any time": no condition of the other excuses it. */
  always: boolean;
  conditional: boolean;
  statement: Claim;
}

const NEVER =
  /\b(?:must not|shall not|should not|cannot|can not|must never|may not|will not|(?:is|are) not (?:allowed|able|permitted) to|must not be able to|never)\b/i;
const MAY = /\b(?:must|shall|should|can|may|will|able to|allowed to)\b(?! not\b| never\b)/i;
const CONDITION =
  /\b(?:unless|except|until|without|before|after|if|when|while|once|more than|other|others|another|outside|expired|twice|again|same|already|first|only|during|except|than|through|instead|past|own|their own|less|beyond|further)\b/i;
const ROLE =
  /\b(?:admin\w*|guests?|members?|staff|visitors?|owners?|editors?|viewers?|managers?|moderators?|customers?|sellers?|buyers?|hosts?|patients?|doctors?|nurses?|teachers?|students?|drivers?|employees?|tenants?|authors?|organi[sz]ers?|attendees?|participants?|operators?|anonymous|unregistered|registered|users?|everyone|anyone|nobody|free|premium)\b/i;
const MOST_COMPARED = 400;

/** MUST and MUST NOT about the same action of the same people; "only X may" against "anyone may"; required against optional. */
export function findNegations(spec: SpecDocument): Finding[] {
  const apart = new Set(["scenarios", "story", "edgeCases"]);
  const statements = claimsIn(spec)
    .filter((one) => !apart.has(one.role))
    .slice(0, MOST_COMPARED);
  const [never, may] = [clausesOf(statements, NEVER), clausesOf(statements, MAY)];
  return [...denied(never, may), ...reserved(statements), ...fields(statements)];
}

function clausesOf(statements: Claim[], modal: RegExp): Clause[] {
  return statements.flatMap((statement) => {
    const text = statement.read.replace(/^[\s*]*[A-Z]+-[\w-]+[\s*:]*/, "");
    const found = modal.exec(text);
    if (!found || (modal === MAY && NEVER.test(text))) return [];
    const rest = text.slice(found.index + found[0].length).split(/[.;,:(]|\b(?:while|at any time)\b/)[0] ?? "";
    const done = stemsIn(rest.replace(ANYBODY, " "));
    const [action = ""] = done;
    const passive = /^\s*be\b/.test(rest);
    const stems = passive ? new Set([...done, ...stemsIn(text.slice(0, found.index))]) : done;
    const who = ROLE.exec(text)?.[0].toLowerCase().replace(/s$/, "") ?? "";
    const always = /\b(?:at any time|always|whenever they (?:want|like|wish))\b/i.test(text);
    const ofAnyone = passive && (ANYBODY.test(rest) || !/\bby\b/.test(rest));
    return [{ stems, action, who, ofAnyone, always, conditional: CONDITION.test(text), statement }];
  });
}

const ANYBODY = /\bby (?:anybody|anyone|any user|users)\b/i;

/** The same people, or nobody at all; a condition draws the line, unless the other says "at any time". */
function atOdds(no: Clause, yes: Clause): boolean {
  if (no.statement === yes.statement || yes.conditional || (no.conditional && !yes.always)) return false;
  const people = yes.who === no.who || no.ofAnyone || (yes.always && no.conditional);
  return people && sameAct(yes, no);
}

function denied(never: Clause[], may: Clause[]): Finding[] {
  return never.flatMap((no) => {
    const yes = may.find((one) => atOdds(no, one));
    if (!yes) return [];
    const [earlier, later] = inOrder(yes.statement, no.statement);
    return [contradiction(earlier, later, `denied-${no.action}`, "scope", "one demands what the other forbids")];
  });
}

function sameAct(one: Clause, other: Clause): boolean {
  const common = shared(one.stems, other.stems);
  const least = Math.min(one.stems.size, other.stems.size);
  const enough = other.ofAnyone ? 2 : least < 5 ? least : least - 1;
  return common.length >= 2 && common.includes(other.action) && common.length >= enough;
}

const ONLY =
  /\bonly (?:an? |the )?((?:[\w-]+ ){0,4}[\w-]+) (?:can|may|must be able to|shall|should be able to|are allowed to|is allowed to)\b(.{3,120})/i;
const SOME =
  /^\W*(?:[A-Z]+-[\w-]+\W+)?(?:an? |the )?((?:[\w-]+ ){0,2}[\w-]+) (?:can|may|must be able to|shall be able to|should be able to|are allowed to|is allowed to)\b(?! not)(.{3,120})/i;
const ANY =
  /\b(?:any|all|every|each) (?:\w+ ){1,3}(?:can|may|must be able to|shall|should be able to|able to)\b(.{3,120})|\b(?:users|members|visitors|guests|everyone|anyone|customers|employees|students)\b.{0,6}\b(?:can|may|must be able to|shall|should be able to|able to)\b(.{3,120})/i;

function reserved(statements: Claim[]): Finding[] {
  const only = statements.flatMap((statement) => actsOf(statement, ONLY, 2));
  const any = statements.flatMap((statement) =>
    ONLY.test(statement.text) ? [] : [...actsOf(statement, ANY, 1), ...actsOf(statement, ANY, 2)],
  );
  const some = statements.flatMap((statement) => (ONLY.test(statement.text) ? [] : actsOf(statement, SOME, 2)));
  return only.flatMap((few) => {
    const fits = (one: Clause): boolean => one.statement !== few.statement && sameAct(one, few);
    const all = any.find(fits);
    const others = all ?? some.find((one) => fits(one) && areOthers(one, few));
    if (!others || (others.who && few.who.includes(others.who))) return [];
    const [earlier, later] = inOrder(others.statement, few.statement);
    const says = `one reserves it for some, the other gives it to ${all ? "all" : "others"}`;
    return [contradiction(earlier, later, `reserved-${few.action}`, "security", says)];
  });
}

/** "Only trainers may" leaves out the front desk; "only claims over 50 may" is about something else. */
function areOthers(one: Clause, few: Clause): boolean {
  const [these, those] = [stemsIn(one.who), stemsIn(few.who)];
  if (one.conditional || few.conditional || these.size === 0 || those.size === 0) return false;
  return shared(these, those).length === 0;
}

function actsOf(statement: Claim, pattern: RegExp, group: number): Clause[] {
  const found = pattern.exec(statement.read);
  const rest = found?.[group];
  if (!found || !rest || /\b(?:own|their own|themselves|his|her)\b/i.test(rest)) return [];
  const stems = stemsIn(rest.split(/[.;]/)[0] ?? "");
  const [action = ""] = stems;
  const who = pattern === ANY ? "" : (found[1] ?? "").toLowerCase();
  const conditional = CONDITION.test(statement.read.replace(/\bonly\b/gi, " "));
  return [{ stems, action, who, ofAnyone: false, always: false, conditional, statement }];
}

const FIELD =
  /\b([a-z][a-z-]+(?: [a-z][a-z-]+){0,2}) (?:field )?(?:is|are|must be|shall be|remains?) (?:an? )?(optional|mandatory|required|compulsory)\b/i;

/** "Phone number is optional" against "the phone number is required". */
function fields(statements: Claim[]): Finding[] {
  const first = new Map<string, { optional: boolean; statement: Claim }>();
  return statements.flatMap((statement) => {
    const found = FIELD.exec(statement.read);
    if (!found || /\b(?:if|when|unless|except|for|log ?in|authentication|account|sign-?in)\b/i.test(statement.text))
      return [];
    const key = [...stemsIn(found[1] ?? "")].sort().join(" ");
    const optional = found[2]?.toLowerCase() === "optional";
    const before = first.get(key);
    if (key && !before) first.set(key, { optional, statement });
    if (!key || !before || before.optional === optional || before.statement === statement) return [];
    return [
      contradiction(
        before.statement,
        statement,
        `field-${key}`,
        "use",
        `"${found[1]?.replace(/^(?:the|an?) /i, "")}" is optional in one and required in the other`,
      ),
    ];
  });
}

function inOrder(one: Claim, other: Claim): [Claim, Claim] {
  return one.line <= other.line ? [one, other] : [other, one];
}
