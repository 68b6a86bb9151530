import type { Field } from "../kit/descriptor.ts";
import { wordsOf } from "./names.ts";
import type { Guess } from "./notes.ts";
import { singularOf } from "./plurals.ts";

// What of a record names it to the API and to people, and what a table shows of it.

const flatKinds = new Set<Field["kind"]>([
  "text",
  "integer",
  "number",
  "enum",
  "email",
  "date",
  "dateTime",
  "url",
  "boolean",
  "longText",
  "time",
]);
const keyKinds = new Set<Field["kind"]>(["text", "integer", "number", "enum", "email", "url", "longText"]);

const key = (name: string): string => wordsOf(name).join("-");

/** JSON:API's `attributes` and the like: the parts of a record that are one level down, under dotted names. */
export function flattened(fields: Field[]): Field[] {
  return fields.flatMap((field) => {
    const hasOwn = fields.some((other) => /^(name|title)$/i.test(other.name));
    const isBag =
      field.name === "attributes" ||
      (field.name === "metadata" && !hasOwn && field.fields?.some((part) => part.name === "name"));
    if (!isBag || field.kind !== "object" || field.fields === undefined || field.fields.length === 0) return [field];
    return field.fields.map((part) => ({ ...part, name: `${field.name}.${part.name}` }));
  });
}

const usualIds = ["id", "uuid", "guid", "_id", "uid", "oid", "sid", "identifier"];
const usualKeys = [...usualIds, "key", "slug", "code", "name", "login", "username", "number", "sha", "href"];
const usualNames = ["slug", "login", "username", "key", "code", "symbol", "name"];

/** The field whose value a path parameter takes: "petId" takes "id", "issue_number" takes "number". */
export function keyFieldOf(fields: Field[], param: string, noun: string, isNumber: boolean): Guess<string | undefined> {
  const usable = fields.filter((field) => keyKinds.has(field.kind));
  const byKey = new Map(usable.map(({ name }): [string, string] => [key(lastPart(name)), name]).reverse());
  const find = (wanted: string): string | undefined => byKey.get(wanted);
  const words = wordsOf(param);
  const ending = words.at(-1) ?? "";
  const owner = singularOf(words.slice(0, -1).join("-"));
  const isOwn =
    owner === "" ||
    singularOf(words.join("-")) === noun ||
    owner === noun ||
    noun.endsWith(owner) ||
    owner.endsWith(noun);
  const guesses: [string | undefined, number, string][] = [
    [find(key(param)), 0.95, `the path takes ${param}`],
    [isOwn ? find(ending) : undefined, 0.95, `${param} is the ${ending} of it`],
    [ending === "identifier" ? find("id") : undefined, 0.8, `${param} identifies it`],
    [find(`${noun}-${ending}`), 0.9, `${param} is its ${ending}`],
    [find(ending), 0.75, `${param} ends in ${ending}`],
    [
      usable.find((field) => isPartOf(key(lastPart(field.name)), key(param)))?.name,
      0.7,
      `${param} is part of its name, or the other way round`,
    ],
    // "{repo}" and "{org}" take a name, unless they are said to be numbers.
    ...(isNumber || !isOwn || ending === "id" ? [] : usualNames).map((name): [string | undefined, number, string] => [
      find(name),
      0.7,
      `${param} takes a name`,
    ]),
    [ending === "username" || ending === "user" ? find("login") : undefined, 0.8, "people are named by their login"],
    ...usualKeys.map((name): [string | undefined, number, string] => [find(name), 0.6, `${name} is a usual key`]),
    [find(`${noun}-id`) ?? find(`${noun}-name`), 0.6, "it is named after the resource"],
  ];
  const found = guesses.find(([field]) => field !== undefined);
  return { value: found?.[0], confidence: found?.[1] ?? 0, because: found?.[2] ?? "" };
}

/** "group-name" and "concurrency-group-name", "class" and "class-name": more than one word, or all but what every key ends in. */
function isPartOf(field: string, param: string): boolean {
  if (param === `${field}-name` || param === `${field}-id`) return true;
  const [short, long] = field.length < param.length ? [field, param] : [param, field];
  return short.includes("-") && long.endsWith(`-${short}`);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

const usualTitles = (
  "name title display-name displayname full-name fullname label subject headline login username user-name email email-address " +
  "summary friendly-name slug symbol question first-name caption topic filename file-name hostname"
).split(" ");
const nameless = /(^|-)(status|state|type|token|secret|password|key|value|content|data|availability|result)$/;
const titleKinds = new Set<Field["kind"]>(["text", "email", "longText"]);

export function titleFieldOf(fields: Field[], noun: string, keyField: string | undefined): Guess<string | undefined> {
  const usable = fields.filter((field) => titleKinds.has(field.kind) && !field.writeOnly);
  // "phone_number" names a phone number, and "identifier" an allowlist identifier; a status is no name, and a token is a secret.
  const own = [noun, noun.slice(noun.lastIndexOf("-") + 1)].filter((word) => !nameless.test(word));
  const named = [`${noun}-name`, `${noun}-title`];
  for (const wanted of [...usualTitles.slice(0, 2), ...named, ...usualTitles.slice(2), ...own]) {
    const found = usable.find((field) => key(lastPart(field.name)) === wanted);
    if (found !== undefined)
      return { value: found.name, confidence: 0.9, because: `${found.name} is a usual name for people` };
  }
  const ending = usable.find((field) => field.kind !== "longText" && /-(name|title|label)$/.test(key(field.name)));
  if (ending !== undefined)
    return { value: ending.name, confidence: 0.65, because: `${ending.name} sounds like a name` };
  const telling = usable.find(
    (field) =>
      field.kind === "text" &&
      /^(description|code|key|number|reference|sha|tag|ref|path|type|message)$/.test(key(field.name)),
  );
  if (telling !== undefined) return { value: telling.name, confidence: 0.5, because: `${telling.name} tells most` };
  return { value: keyField, confidence: 0.4, because: "nothing but its key names it" };
}

const mostColumns = 7;
const technical =
  /(^|-)(node-id|etag|self|href|links?|urls?|hash|sha|cursor|object|kind|api-version|resource-version|generation|generate-name|deletion-grace-period-seconds|revision|uri|gravatar-id|account-sid|odata-type|checksum|token|secret|password)$/;

/** What a table shows: what names the record, its state, its figures and dates, and its key last. */
export function columnsOf(fields: Field[], title: string | undefined, keyField: string | undefined): string[] {
  const scored = fields
    .map((field, at) => ({ field, at, score: columnScore(field) }))
    .filter(({ field, score }) => score > 0 && field.name !== title && field.name !== keyField);
  const isShort = scored.filter(({ score }) => score >= 4).length;
  const best = scored
    .toSorted((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, Math.max(4, Math.min(mostColumns - 2, isShort)));
  const chosen = best.toSorted((one, other) => one.at - other.at).map(({ field }) => field.name);
  const first = title !== undefined && fields.some((field) => field.name === title) ? [title] : [];
  const last =
    keyField !== undefined && keyField !== title && fields.some((field) => field.name === keyField) ? [keyField] : [];
  const columns = [...first, ...chosen, ...last];
  return columns.length > 0 ? columns : fields.slice(0, 5).map((field) => field.name);
}

function columnScore(field: Field): number {
  const name = key(lastPart(field.name));
  if (field.writeOnly || field.deprecated || technical.test(name)) return 0;
  if (field.kind === "enum") return (field.options ?? []).length < 2 ? 1 : 9;
  if (/(^|-)(status|state|type|role|priority|category|severity|level|stage)$/.test(name) && flatKinds.has(field.kind))
    return 8.5;
  if (field.kind === "email") return 7;
  if (field.kind === "dateTime" || field.kind === "date")
    return /created|date|due|start|published|updated/.test(name) ? 6 : 5;
  if (field.kind === "integer" || field.kind === "number") return /(^|-)(id|ids|key)$/.test(name) ? 4.5 : 6.5;
  if (field.kind === "boolean") return 5.5;
  if (field.kind === "text") return /(^|-)(id|uuid|guid|sid|key)$/.test(name) ? 3 : 6;
  if (field.kind === "image") return 2;
  if (field.kind === "url" || field.kind === "time") return 2;
  if (field.kind === "object")
    return field.relation || field.fields?.some((part) => /^(name|title|login|id)$/.test(part.name)) ? 4 : 0;
  if (field.kind === "list")
    return field.item && ["text", "enum", "integer"].includes(field.item.kind)
      ? 3
      : field.item?.fields?.some((part) => part.name === "name")
        ? 2.5
        : 0;
  return 0;
}
