/**
 * Whether a text fits a pattern: `*` is any text, `?` one character, and a backslash makes the next character literal. It takes
 * time in proportion to the two lengths at worst, whatever the pattern.
 */
export function fitsWildcard(pattern: string, text: string): boolean {
  const parts = tokens(pattern);
  const characters = [...text];
  let part = 0;
  let at = 0;
  let star = -1; // the last star, and how much of the text it has taken so far
  let taken = 0;
  while (at < characters.length) {
    const token = parts[part];
    if (token === ANY) {
      star = part++;
      taken = at;
    } else if (token !== undefined && (token === ONE || token === characters[at])) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++taken;
    } else return false;
  }
  while (parts[part] === ANY) part++;
  return part === parts.length;
}

/** The pattern that only this text fits. */
export function literalWildcard(text: string): string {
  return text.replace(/[*?\\]/g, "\\$&");
}

const ANY = Symbol("*");
const ONE = Symbol("?");

function tokens(pattern: string): (string | symbol)[] {
  const found: (string | symbol)[] = [];
  let literal = false;
  for (const character of pattern) {
    if (!literal && character === "\\") literal = true;
    else {
      found.push(literal ? character : character === "*" ? ANY : character === "?" ? ONE : character);
      literal = false;
    }
  }
  return literal ? [...found, "\\"] : found;
}
