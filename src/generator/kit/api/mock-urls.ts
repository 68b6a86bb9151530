import { nameWords } from "./format.ts";
import { mockFile } from "./mock-files.ts";
import { singularWord, subjectSlug } from "./mock-names.ts";
import type { TextSource } from "./mock-source.ts";

const pictureWords = /^(image|photo|picture|avatar|logo|thumbnail|icon|banner|cover|poster)$/;
const fileWords = /^(download|file|document|attachment|pdf)$/;

/** Words that say that it is an address, and not of what. */
const addressWords = new Set(
  "url urls uri uris link links href html web website homepage home page api self site public full resource src".split(
    " ",
  ),
);

/** An address with the name of the object in it: `commits_url` gives ".../silver-harbor/commits". */
export function mockUrl(source: TextSource, name: string): string {
  const words = nameWords(name);
  const picture = words.map(singularWord).find((word) => pictureWords.test(word));
  if (picture) return `https://example.com/images/${pictureName(picture, source)}.jpg`;
  if (words.some((word) => fileWords.test(word))) {
    return `https://example.com/files/${mockFile(source).name}`;
  }
  const parts = words.filter((word) => !addressWords.has(word)).slice(0, 3);
  return ["https://example.com", subjectSlug(source), ...parts].join("/");
}

function pictureName(picture: string, source: TextSource): string {
  return source.turn ? subjectSlug(source) : `${picture}-${source.dice.between(1000, 9999)}`;
}
