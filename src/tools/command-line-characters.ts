// U+2800 is a blank that counts as a sign; U+FE0F makes an emoji of the sign before it and hides nothing.
const hidden = [
  "[^\\P{Cc}\\n\\t]",
  "[\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\u2800]",
  "[\\p{Zs}--\\u0020]",
  "[[\\p{Cf}\\p{Default_Ignorable_Code_Point}]--\\ufe0f]",
];
const unseen = new RegExp(hidden.join("|"), "v");

/** The first character of a line that a person would not see, or would take for another one, as its code point. */
export function hiddenCharacterIn(text: string): string | undefined {
  const found = unseen.exec(text)?.[0].codePointAt(0);
  return found === undefined ? undefined : `U+${found.toString(16).toUpperCase().padStart(4, "0")}`;
}
