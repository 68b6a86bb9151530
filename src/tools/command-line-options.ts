/**
 * Whether a word is one of the options. A long one (`--output`) is also meant by its beginning and with a value, since many programs
 * take that; a short one (`-o`) also in a cluster; any other (`-exec`) also with a value, and with two dashes, as Go takes it.
 */
export function isOption(word: string, names: readonly string[]): boolean {
  return names.some((name) => {
    if (name.startsWith("--")) return isLongOption(word, name);
    if (name.length === 2) return /^-[^-]/.test(word) && word.includes(name.charAt(1), 1);
    return word.replace(/^--/, "-").replace(/=.*$/s, "") === name;
  });
}

function isLongOption(word: string, name: string): boolean {
  if (!word.startsWith("--")) return false;
  const given = word.replace(/=.*$/s, "").replaceAll("_", "-");
  return given.length > 2 && name.startsWith(given);
}

export interface Operands {
  /** The options before the first operand, their values not included. */
  options: string[];
  /** Where the first operand is. */
  at: number;
}

/** `withValue` are the options whose value is the next word. */
export function firstOperand(words: readonly string[], withValue: readonly string[] = [], from = 1): Operands {
  const options: string[] = [];
  let at = from;
  while (at < words.length) {
    const word = words[at] ?? "";
    if (word === "--") return { options, at: at + 1 };
    if (!/^-./.test(word)) break;
    options.push(word);
    at += withValue.includes(word) ? 2 : 1;
  }
  return { options, at: Math.min(at, words.length) };
}
