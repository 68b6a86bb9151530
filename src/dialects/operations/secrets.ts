// Secrets that nobody told us of are known by their looks: what an agent prints may hold any. Those that are known are not in the log.

/** No private key is longer: what follows is something else, though its end was not seen. */
export const LONGEST_KEY = 8000;

const token = "[A-Za-z0-9_-]";

/** A private key's line breaks may be written out, as in JSON. */
const keyBody = `[A-Za-z0-9+/=\\s\\\\]{0,${LONGEST_KEY}}`;

const looks = [
  `(?:drg|sess)_${token}{40,}`,
  "gh[oprsu]_[A-Za-z0-9]{30,}",
  `github_pat_${token}{30,}`,
  `glpat-${token}{20,}`,
  `sk-${token}{20,}`,
  "xox[abeoprs]-[A-Za-z0-9-]{10,}",
  "AKIA[0-9A-Z]{16}",
  `AIza${token}{35}`,
  `npm_[A-Za-z0-9]{36}`,
  `eyJ${token}{10,}\\.${token}{10,}\\.${token}{10,}`,
  `-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----${keyBody}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?`,
];
/** Not within a word of the same characters: else each place in a long one would be looked at as a beginning. */
const byLooks = new RegExp(`(?<!${token})(?:${looks.join("|")})`, "g");
/** The password in an address, and what is sent as a credential. */
const inAddress = /(?<=[a-z]:\/\/[^\s/@:]{0,100}:)[^\s/@]{3,200}(?=@)/gi;
const inHeader = /(?<=\b(?:Bearer|Basic) )[A-Za-z0-9._~+/=-]{16,}/g;
/** In lower case these are words as any others, unless a header says what they are. */
const inNamedHeader = /(?<=\bauthorization["']?: {0,3}["']?(?:bearer|basic) )[A-Za-z0-9._~+/=-]{8,}/gi;

/** What every one of them has somewhere: text without it, as most is, is not looked at closer. */
const hint =
  /[_-][A-Za-z0-9]{9}|AKIA|AIza|eyJ|PRIVATE KEY|:\/\/[^\s/]{0,300}@|B(?:earer|EARER|asic|ASIC) |b(?:earer|asic) /;

const KEY = "PRIVATE KEY-----";

/** Whether the last that it says of a private key is that it begins. */
export function beginsKey(text: string): boolean {
  const at = text.lastIndexOf(KEY);
  return at >= 0 && text.startsWith("-----BEGIN ", text.lastIndexOf("-----", at - 1));
}

/** Where the first private key that ends in the text does so. */
export function endOfKey(text: string): number | undefined {
  const found = /-----END [A-Z ]{0,40}PRIVATE KEY-----/.exec(text);
  return found ? found.index + found[0].length : undefined;
}

/** Where the text ends in what may be a part of the line that a private key begins or ends with, or all of it. */
export function startOfKeyLine(text: string): number | undefined {
  const from = Math.max(0, text.length - 80);
  const found = /-----(?:BEGIN|END) [A-Z ]{0,51}-{0,5}$|-{1,5}(?:BEGIN|BEGI|BEG|BE|B|END|EN|E)?$/.exec(
    text.slice(from),
  );
  return found ? from + found.index : undefined;
}

export function withoutSecrets(text: string): string {
  if (!hint.test(text)) return text;
  return [byLooks, inAddress, inHeader, inNamedHeader].reduce((left, each) => left.replace(each, "[redacted]"), text);
}
