// Secrets that nobody told us of are known by their looks: what an agent prints may hold any. Those that are known are not in the log.

const token = "[A-Za-z0-9_-]";

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
  "-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\\s]{0,8000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?",
];
/** Not within a word of the same characters: else each place in a long one would be looked at as a beginning. */
const byLooks = new RegExp(`(?<!${token})(?:${looks.join("|")})`, "g");
/** The password in an address, and what is sent as a credential. */
const inAddress = /(?<=[a-z]:\/\/[^\s/@:]{1,100}:)[^\s/@]{3,200}(?=@)/gi;
const inHeader = /(?<=\b(?:Bearer|Basic) )[A-Za-z0-9._~+/=-]{16,}/g;

/** What every one of them has somewhere: text without it, as most is, is not looked at closer. */
const hint = /[_-][A-Za-z0-9]{9}|AKIA|AIza|eyJ|PRIVATE KEY|:\/\/[^\s/]{0,300}@|Bearer |Basic /;

const KEY = "PRIVATE KEY-----";

/** Whether the last that it says of a private key is that it begins, or ends. */
const lastOfKey = (text: string, word: "BEGIN" | "END") => {
  const at = text.lastIndexOf(KEY);
  return at >= 0 && text.startsWith(`-----${word} `, text.lastIndexOf("-----", at - 1));
};
export const beginsKey = (text: string) => lastOfKey(text, "BEGIN");
export const endsKey = (text: string) => lastOfKey(text, "END");

export function withoutSecrets(text: string): string {
  if (!hint.test(text)) return text;
  return text.replace(byLooks, "[redacted]").replace(inAddress, "[redacted]").replace(inHeader, "[redacted]");
}
