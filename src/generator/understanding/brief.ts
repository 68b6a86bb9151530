/** The first sentence of a description, in plain text: what fits beside a field or below a heading. */
export function brief(text: string | undefined, longest = 200): string | undefined {
  if (text === undefined) return undefined;
  const plain = plainText(text.slice(0, 4 * longest));
  if (plain === "") return undefined;
  const end = sentenceEnd(plain);
  if (end > 0 && end <= longest) return plain.slice(0, end);
  if (plain.length <= longest) return plain;
  const space = plain.lastIndexOf(" ", longest - 1);
  return `${plain.slice(0, space > longest / 2 ? space : longest - 1)}…`;
}

function plainText(markdown: string): string {
  return markdown
    .replace(/<\/?[a-zA-Z][^<>]{0,300}>/g, " ")
    .replace(/\[([^[\]]{0,200})\]\([^()]{0,300}\)/g, "$1")
    .replace(/^[>#*|\s]+/gm, " ")
    .replace(/\*\*|`/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function sentenceEnd(text: string): number {
  const ends = /[.!?](?= [\p{Lu}\d(])/gu;
  for (const found of text.matchAll(ends)) {
    const before = text.slice(Math.max(0, found.index - 4), found.index).toLowerCase();
    const isAbbreviation = /(e\.g|i\.e|etc| vs| no)$/.test(before);
    if (!isAbbreviation && found.index > 15) return found.index + 1;
  }
  return text.length;
}
