// How wide Prettier takes a text to be, which decides where it breaks a line.

/** As many columns a line of generated code may have. */
export const WIDTH = 100;

const ascii = /^[ -\x7f]*$/;

// Emoji of several characters. Those that are joined are not among them: in code, a joiner is written as an escape.
const emoji =
  /\p{Emoji_Modifier_Base}\p{Emoji_Modifier}?|(?![#*0-9\u{1f1e6}-\u{1f1ff}])\p{Emoji}\ufe0f|\u{1f3f4}[\u{e0061}-\u{e007a}]+\u{e007f}/gu;

const withoutWidth = /\p{Cc}|[\u0300-\u036f]|[\ufe00-\ufe0f]/gu;

// East Asian characters that are wide or full width, and emoji. The letters that flags are made of have one column each.
const wide =
  /(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}|[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u2ff0-\u303e\u3041-\u3096\u3099-\u30ff\u3105-\u312f\u3131-\u318e\u3190-\u31e5\u31ef-\u321e\u3220-\u3247\u3250-\ua48c\ua490-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe52\ufe54-\ufe66\ufe68-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{16fe4}\u{16ff0}-\u{16ff6}\u{17000}-\u{18cd5}\u{18cff}-\u{18d1e}\u{18d80}-\u{18df2}\u{1aff0}-\u{1aff3}\u{1aff5}-\u{1affb}\u{1affd}\u{1affe}\u{1b000}-\u{1b122}\u{1b132}\u{1b150}-\u{1b152}\u{1b155}\u{1b164}-\u{1b167}\u{1b170}-\u{1b2fb}\u{1d300}-\u{1d356}\u{1d360}-\u{1d376}\u{1f200}\u{1f202}\u{1f210}-\u{1f219}\u{1f21b}-\u{1f22e}\u{1f230}\u{1f231}\u{1f237}\u{1f23b}\u{1f240}-\u{1f248}\u{1f260}-\u{1f265}\u{20000}-\u{2fffd}\u{30000}-\u{3fffd}]/gu;

export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  const characters = text.replace(emoji, "\u3000").replace(withoutWidth, "");
  return [...characters].length + (characters.match(wide)?.length ?? 0);
}
