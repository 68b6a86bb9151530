import { brief } from "./brief.ts";
import { capitalized, labelOf, spelling, wordsOf } from "./names.ts";
import type { PathShape } from "./path-shape.ts";
import { singularOf } from "./plurals.ts";
import type { Prose } from "./prose.ts";

// What a button says: short, in the imperative, with one capital. The whole summary is shown where there is room for it.

const longestLabel = 60;
const shortEnough = 28;

const verbs = new Set(
  (
    "accept activate add allow apply approve archive assign attach authenticate authorize ban block build calculate call cancel capture change check " +
    "clear clone close commit compare complete compute configure confirm connect convert copy count create deactivate decline decode decrypt delete " +
    "deliver deploy destroy detach detect disable discard disconnect dismiss download duplicate edit enable encode encrypt end estimate evaluate execute " +
    "expire export extend extract fetch filter find finish flag force forward freeze generate get give grant import index init initialize initiate insert " +
    "install invite invoke issue join kill leave let link list load lock log log look make mark match merge modify move notify open order parse pause " +
    "perform pin place post predict preview process provide publish purchase purge push put query queue read rebuild recalculate receive redeem refresh " +
    "refund register reject release reload remove rename render renew reopen reorder replace request resend reserve reset resize resolve restart restore " +
    "resume retrieve retry return revert review revoke rotate run save scan schedule search select send set share show sign simulate skip sort split star " +
    "start stop store stream submit subscribe suspend swap switch sync synchronize tag terminate test toggle track transfer trigger unassign unblock undo " +
    "uninstall unlink unlock unpin unpublish unregister unsubscribe update upgrade upload upsert use validate verify view void wait watch withdraw write"
  ).split(" "),
);
const brings = /^(return|retrieve|fetch|give|provide|obtain)$/;

/** "Returns the pets." is "Get the pets". */
function imperative(text: string): string {
  const [, first = "", rest = ""] = /^(\p{L}+)( .*)?$/u.exec(text) ?? ["", "", text];
  const small = first.toLowerCase();
  const base = [small, small.slice(0, -1), small.slice(0, -2), `${small.slice(0, -3)}y`].find(
    (form, at) => verbs.has(form) && (at === 0 || small.endsWith("s")),
  );
  if (first === "" || base === undefined || rest === "") return capitalized(text);
  return capitalized(base === small && !brings.test(base) ? text : (brings.test(base) ? "get" : base) + rest);
}

/** "Create Feedback Examples" is "Create feedback examples"; names of people and products stay, and what stands with them. */
function inSentenceCase(text: string, { isCommon }: Prose): string {
  const isSmall = (word: string): boolean => isCommon(word) || word.endsWith("ly");
  return text
    .replace(/(?<=\s)[A-Z][a-z]+(?: [A-Z][a-z]+)*\b(?![.\w-])/g, (run) =>
      run.split(" ").every(isSmall) ? run.toLowerCase() : run,
    )
    .replace(
      /(?<=\s)(?:ids?|urls?|uri|apis?|ip|dns|cli|html|json|pdf|csv|xml|ssh|sms|sso|uuid|jwt)\b(?![.\w/-])/gi,
      (word) => spelling(word) ?? word,
    );
}

const qualified =
  /^(.{8,}) (?:for|from|of|to|in|on) (?:(?:an?|the|this|one|specific|given|single|existing|particular) )*([\p{L}' -]{2,40})$/u;
// "Get a list", "Verify a code sent": these say nothing without what follows.
const hollow =
  /(?:^| )(?:lists?|info|information|data|status|state|details?|existence|validity|number|count|contents?|set|collection|type|all|\w+ed|sent|made|access|part)$/i;

/** Without what the page says anyhow: whose it is, if the path says that it belongs to such a thing. */
function withoutContext(text: string, shape: PathShape): string {
  const [, start, noun = ""] = qualified.exec(text) ?? [];
  if (text.length <= shortEnough || start === undefined || hollow.test(start)) return text;
  const owners = shape.steps.slice(0, -1).flatMap((step) => wordsOf(step.word ?? step.param ?? ""));
  const isOwner = wordsOf(noun)
    .map(singularOf)
    .some((word) => owners.some((owner) => isAlike(word, singularOf(owner))));
  return isOwner ? start : text;
}

function isAlike(one: string, other: string): boolean {
  return one === other || (Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one)));
}

export interface Told {
  method: string;
  path: string;
  summary?: string;
  operationId?: string;
}

/** What an operation is called: its summary if it is short, or else what its id or its path says. On a page of its own, in fewer words. */
export function operationLabel(told: Told, shape: PathShape, prose: Prose, isOnPage: boolean): string {
  const { method, path, operationId } = told;
  const said = brief(told.summary, 200)?.replace(/\.$/, "");
  const summary = said === undefined ? undefined : inSentenceCase(imperative(said), prose).replace(oneself, "");
  const short = summary !== undefined && isOnPage ? withoutContext(summary, shape) : summary;
  if (short !== undefined && short.length <= longestLabel) return short;
  const id = ownPart(operationId ?? "");
  const isOfPath = isMadeOf(id, path);
  if (wordsOf(id).length > 1 && id.length <= longestLabel && !isOfPath) return imperative(labelOf(id));
  if (short !== undefined && !isOfPath) return `${short.slice(0, short.lastIndexOf(" ", longestLabel))}…`;
  const last = shape.steps.findLast((step) => step.word !== undefined)?.word;
  const deed = last === undefined ? undefined : deeds[method];
  return labelOf(deed === undefined ? (last ?? (id || `${method} ${path}`)) : `${deed} ${last}`);
}

const deeds: Record<string, string> = { DELETE: "delete", PUT: "update", PATCH: "update" };
const oneself = / (?:for|of|by) (?:the )?(?:authenticated|current|logged[- ]in) (?:user|app)$/i;

const usualDeed = /^(?:list|read|retrieve|create|update|partial|delete|destroy)$/;

/** "post-pets-id-feed" and "pets_feed_create" only repeat the method and the path. */
function isMadeOf(operationId: string, path: string): boolean {
  const [first = "", ...rest] = wordsOf(operationId);
  const isMethod = /^(get|post|put|patch|delete)$/.test(first);
  const words = isMethod ? rest : [first, ...rest];
  while (!isMethod && usualDeed.test(words.at(-1) ?? "")) words.pop();
  const said = words.join("");
  const places = [path, path.replace(/\{[^{}]*\}/g, " ")].map((place) => wordsOf(place).join(""));
  return words.length > (isMethod ? 0 : 1) && places.some((place) => place === said || withoutVersion(place) === said);
}

const withoutVersion = (words: string): string => words.replace(/^(?:api|rest)?(?:v\d+)?/, "");

/** "repos/list" and "Bookings_GetCount" are "list" and "GetCount". */
function ownPart(operationId: string): string {
  const last = operationId.split(/[/.]/).at(-1) ?? "";
  return /^[A-Za-z]+_([A-Z][a-z]+[A-Z]\w*)$/.exec(last)?.[1] ?? last;
}

/** What a figure is called: "Returns pet inventories by status" is "Pet inventories by status". */
export function figureLabel(label: string): string {
  const counted = /^Count (?:all |the )?(.+)$/.exec(label);
  if (counted !== null) return `Number of ${counted[1]}`;
  return capitalized(label.replace(/^(?:Get|Show|Read|View|List|Fetch) (?:all |the |an? )*(?=\p{L}{3})/u, ""));
}
