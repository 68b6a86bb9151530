import { nameWords } from "./format.ts";
import { mockFile } from "./mock-files.ts";
import { filledIn, referenceCode } from "./mock-identifiers.ts";
import { subjectName, subjectSlug } from "./mock-names.ts";
import { mockEmail, mockPerson } from "./mock-person.ts";
import { mockLocation } from "./mock-places.ts";
import { isAbout, sourceOfPart, type TextSource } from "./mock-source.ts";
import { clockTime, isoDate, isoDateTime } from "./mock-times.ts";
import { imageNames, programmingLanguages } from "./mock-titles.ts";
import { mockUrl } from "./mock-urls.ts";
import { jobs, type Words, wordList } from "./mock-words.ts";

/** Makes the text of the field with this name. */
export type TextMaker = (source: TextSource, name: string) => string;

export function picked(list: Words): TextMaker {
  return ({ dice }) => dice.pick(list);
}

export function oneOf(text: string): TextMaker {
  return picked(wordList(text));
}

export function filled(form: string): TextMaker {
  return ({ dice }) => filledIn(form, dice);
}

export function loginName(source: TextSource, name: string): string {
  return mockPerson(source, name).login;
}

const emptyWords = new Set(
  "display full short long legal real birth original common official".split(" "),
);

/** `title` is what the object is called; `category_name` is what its category is called. */
export function ownName(source: TextSource, name: string): string {
  const words = nameWords(name);
  const whose = words.slice(0, -1).filter((word) => !emptyWords.has(word));
  const isPerson = /^(person|people|user|employee|contact|customer|member)$/.test(
    source.subject.at(-1) ?? "",
  );
  if (isPerson && words.join("") === "title") return source.dice.pick(jobs);
  const part = sourceOfPart(source, whose.join(" "));
  return subjectName({ ...part, subject: [...source.subject, ...whose] });
}

export function fullNameText(source: TextSource, name: string): string {
  const isCode = isAbout(source, / (repository|repo|package|module|gist) /);
  const { full, first } = mockPerson(source, name);
  return isCode ? `${first.toLowerCase()}/${subjectName(source)}` : full;
}

/** Of a message, who wrote it or gets it; of a journey, where it leads. */
export function correspondent(source: TextSource, name: string): string {
  if (isAbout(source, / (mail|email|emails|message|broadcast) /)) return mockEmail(source, name);
  const isPerson = /sender|recipient/i.test(name);
  return isPerson
    ? mockPerson(source, name).full
    : mockLocation({ seed: `${source.seed}/${name}` }).city;
}

export function hostText(source: TextSource): string {
  const slug = subjectSlug(source);
  return isAbout(source, / (domain|website) /) ? subjectName(source) : `${slug}.example.com`;
}

export function pathText(source: TextSource, name: string): string {
  const purpose = nameWords(name).slice(0, -1).join("-");
  return purpose === ""
    ? `/srv/data/${mockFile(source).name}`
    : `/srv/${subjectSlug(source)}/${purpose}`;
}

export function instantText({ dice }: TextSource, name: string): string {
  return isoDateTime(name, dice);
}

export function dayText({ dice }: TextSource, name: string): string {
  return isoDate(name, dice);
}

export function clockText({ dice }: TextSource, name: string): string {
  return clockTime(name, dice).slice(0, 5);
}

export function countryText(source: TextSource, name: string): string {
  const { country, countryCode } = mockLocation(source);
  return source.isShort || /code|iso/i.test(name) ? countryCode : country;
}

/** Of an address, a part of the country; of anything else, how things stand. */
export function stateText(source: TextSource, name: string): string {
  const isPlace = nameWords(name).join("") !== "state" || isAbout(source, / (address|location) /);
  return isPlace ? mockLocation(source).state : source.dice.pick(["open", "open", "closed"]);
}

export function languageText(source: TextSource): string {
  if (isAbout(source, / (repository|repo|gist|code|snippet) /)) {
    return source.dice.pick(programmingLanguages);
  }
  return mockLocation(source).locale.slice(0, 2);
}

export function versionText({ dice }: TextSource): string {
  return `${dice.between(1, 4)}.${dice.between(0, 12)}.${dice.between(0, 9)}`;
}

/** A reference, unless it is the code of something that has well-known ones. */
export function codeText(source: TextSource, name: string): string {
  const about = { ...source, subject: [...source.subject, ...nameWords(name)] };
  const { currency, countryCode, locale } = mockLocation(source);
  if (isAbout(about, / currency /)) return currency;
  if (isAbout(about, / country /)) return countryCode;
  return isAbout(about, / (locale|language) /) ? locale : referenceCode(source.dice);
}

export function imageText(source: TextSource, name: string): string {
  const isContainer = isAbout(source, / (container|containers|service|pod|task|image|images) /);
  return isContainer ? source.dice.pick(imageNames) : mockUrl(source, name);
}
