import type { Field, Json } from "../descriptor.ts";
import { nameWords } from "./format.ts";
import { conforms } from "./mock-conforming.ts";
import { textLike } from "./mock-identifiers.ts";
import { mockImage } from "./mock-image.ts";
import { subjectSlug } from "./mock-names.ts";
import { plausibleNumber } from "./mock-numbers.ts";
import { textForPattern } from "./mock-pattern.ts";
import { mockEmail, mockPerson } from "./mock-person.ts";
import { coordinate } from "./mock-places.ts";
import type { Dice } from "./mock-random.ts";
import { plausibleParagraph } from "./mock-sentences.ts";
import { isAbout, type TextSource } from "./mock-source.ts";
import { isUntelling, plausibleText } from "./mock-text.ts";
import { clockTime, isoDate, isoDateTime } from "./mock-times.ts";
import { mockUrl } from "./mock-urls.ts";

type SourcePlace = Pick<TextSource, "seed" | "subject" | "turn">;

/** A value without parts: what the name suggests, unless the API would not take it. */
export function mockScalar(field: Field, dice: Dice, { seed, subject, turn }: SourcePlace): Json {
  const source = { seed, dice, subject, turn, isShort: isForCode(field) };
  if (field.kind === "image") return mockImage(source.seed, initialsFor(field, source));
  const plausible = plausibleScalar(field, source);
  if (isUnconstrained(field) || conforms(field, plausible)) return plausible;
  const others = [
    typeof plausible === "string" ? withinLength(field, plausible) : undefined,
    ...textsForPattern(field, source.dice),
    field.example,
    field.default,
  ];
  return others.find((other) => other !== undefined && conforms(field, other)) ?? plausible;
}

/** There is nothing that a value of its kind could break, so it need not be checked. */
function isUnconstrained({ kind, minLength, maxLength, pattern }: Field): boolean {
  const isNumber = kind === "integer" || kind === "number";
  return !isNumber && minLength === undefined && maxLength === undefined && pattern === undefined;
}

function plausibleScalar(field: Field, source: TextSource): Json {
  const { dice } = source;
  const { name } = field;
  switch (field.kind) {
    case "integer":
    case "number":
      return mockNumber(field, source);
    case "boolean":
      return dice.chance(likelihood(name));
    case "enum":
      return mockOption(field, dice);
    case "date":
      return isoDate(name, dice);
    case "dateTime":
      return isoDateTime(name, dice);
    case "time":
      return clockTime(name, dice);
    case "email":
      return mockEmail(source, name);
    case "url":
      return mockUrl(source, name);
    case "longText":
      return plausibleParagraph(source, name);
    case "password":
      return "sample-Passw0rd";
    case "file":
      return "document.pdf";
    default:
      return plausibleWording(field, source);
  }
}

function mockNumber(field: Field, source: TextSource): number {
  const [, axis] =
    /^(lat|lng|lon)(?:itude|gitude)?$/.exec(nameWords(field.name).at(-1) ?? "") ?? [];
  if (axis && field.kind === "number") {
    const where = coordinate(axis === "lat" ? "latitude" : "longitude", source);
    if (conforms(field, where)) return where;
  }
  return plausibleNumber(field, source.dice, source.subject);
}

const seldom =
  / (banned|locked|deleted|archived|disabled|truncated|deprecated|draft|blocked|suspended|expired|cancell?ed|failed|removed|hidden|paused|restarting|dead|killed|oomkilled|spam|test|error|abridged|fork|template) /;
const often =
  / (enabled|active|available|verified|public|running|visible|confirmed|valid|success|online|open) /;

/** How likely it is that something of this name is so. */
function likelihood(name: string): number {
  const words = ` ${nameWords(name).join(" ")} `;
  return seldom.test(words) ? 0.1 : often.test(words) ? 0.85 : 0.5;
}

function mockOption(field: Field, dice: Dice): Json {
  const [first, ...others] = (field.options ?? []).filter((option) => option.value !== null);
  return first ? dice.pick([first, ...others]).value : null;
}

/** Where the name says little, the example may show what the texts look like. */
function plausibleWording(field: Field, source: TextSource): string {
  const { name, example } = field;
  const { dice } = source;
  const sample = typeof example === "string" ? example : "";
  if (/^\d\d:\d\d(:\d\d)?$/.test(sample)) return clockTime(name, dice).slice(0, sample.length);
  if (/^\d{4}-\d\d-\d\d$/.test(sample)) return isoDate(name, dice);
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(sample)) {
    return isoDateTime(name, dice).slice(0, 19).replace("T", " ") + sample.slice(19);
  }
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(sample)) return mockEmail(source, name);
  if (/^[^<>]* <[^\s@<>]+@[^\s@<>]+>$/.test(sample)) {
    return `${mockPerson(source, name).full} <${mockEmail(source, name)}>`;
  }
  const [folder] = /^\/(?:[\w.-]+\/)+(?=[\w-]+$)/.exec(sample) ?? [];
  if (folder) return folder + subjectSlug(source);
  return sample !== "" && isUntelling(name, source.subject)
    ? textLike(sample, dice)
    : plausibleText(name, source);
}

/** Two or three letters at most. */
function isForCode({ maxLength, pattern }: Field): boolean {
  if (maxLength === undefined && pattern === undefined) return false;
  return (maxLength ?? 99) <= 3 || /^\^?\(?\[A-Z(a-z)?\]\{[23]\}/.test(pattern ?? "");
}

function textsForPattern({ pattern }: Field, dice: Dice): (string | undefined)[] {
  return pattern ? [1, 2, 3, 4, 5].map(() => textForPattern(pattern, dice)) : [];
}

function initialsFor(field: Field, source: TextSource): string | undefined {
  const isPerson =
    nameWords(field.name).some((word) => /^(avatar|user|author|owner|profile)$/.test(word)) ||
    isAbout(source, / person /);
  const { first, last } = mockPerson(source, field.name);
  return isPerson ? first.charAt(0) + last.charAt(0) : undefined;
}

function withinLength(field: Field, text: string): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, kind } = field;
  if (kind === "email" && text.length > maxLength) return "a@b.example".slice(0, maxLength);
  const filler = kind === "email" || kind === "url" ? "a" : ` ${text}`;
  let fitted = text;
  while (fitted.length < Math.min(minLength, 10_000)) {
    fitted = kind === "email" ? filler + fitted : fitted + filler;
  }
  const cut = fitted.slice(0, maxLength).trim();
  const whole = fitted.length > maxLength ? cut.replace(/ \S*$/, "") : cut;
  if (whole.length >= Math.max(minLength, 1)) return whole;
  return cut.length >= minLength ? cut : fitted.slice(0, maxLength).replaceAll(" ", "-");
}
