import { why } from "./command-line-program.ts";

/** Longer scripts are not read. */
const LONGEST_SCRIPT = 1000;

// A bracket in a pattern may hold the delimiter for one sed and not for another, so only brackets without it are read.
const delimited = (end: string, times: number) =>
  `(?:(?:[^${end}\\\\\\n\\[]|\\\\[^\\n]|\\[[^${end}\\]\\\\\\n]+\\])*${end}){${times}}`;
const line = `(?:\\d+|\\$|/${delimited("/", 1)})`;
const address = `(?:${line}(?:,[+~]?${line})?[ \\t]*!?[ \\t]*)?`;
const substitutions = ["/", "\\|", "#", ",", "@", ":", "%", "!"].map(
  (end) => `[sy]${end}${delimited(end, 2)}[gpiIM0-9]*`,
);
const action = `(?:[pdqQ=nNgGhHxPD]|${substitutions.join("|")})`;
const knownScript = new RegExp(`^\\s*${address}${action}(?:\\s*[;\\n]\\s*${address}${action})*\\s*;?\\s*$`);

const knownOptions = [
  "-n",
  "-E",
  "-r",
  "-s",
  "-u",
  "-z",
  "-nE",
  "-nr",
  "-En",
  "-rn",
  "--quiet",
  "--silent",
  "--regexp-extended",
];

/** sed can run commands (`e`) and read and write files (`r`, `w`): only a script is known that consists of what does neither. */
export function opacityOfSed(words: readonly string[]): string | undefined {
  let scripts = 0;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "-e" || word === "-ne" || word === "--expression" || (scripts === 0 && !word.startsWith("-"))) {
      const script = word.startsWith("-") ? (words[++at] ?? "") : word;
      if (!isHarmless(script)) return "its script is not one that only changes text";
      scripts += 1;
    } else if (word.startsWith("-") && word !== "-" && !knownOptions.includes(word)) return why.option;
  }
  return undefined;
}

const isHarmless = (script: string) => script.length <= LONGEST_SCRIPT && knownScript.test(script);
