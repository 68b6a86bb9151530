const LONGEST = 500;

/** Words of a file in one of our own messages: short, and nothing in them that a terminal would obey. */
export function printable(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return short.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

/** A path as a shell takes it. */
export function shellWord(path: string): string {
  if (/^[\w./@%+=:,-]+$/.test(path)) return path;
  return `'${path.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\ufffd").replaceAll("'", "'\\''")}'`;
}
