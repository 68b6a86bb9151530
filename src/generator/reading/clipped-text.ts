const longestTitle = 200;
const longestDescription = 2000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a title
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

export function clipped(text: string, longest = longestDescription): string {
  if (text.length <= longest) return text;
  const end = isHighSurrogate(text.charCodeAt(longest - 2)) ? longest - 2 : longest - 1;
  return `${text.slice(0, end)}…`;
}

/** A title stands in one line: control characters become spaces. Everything else stays, for whoever shows it escapes it anyway. */
export function cleanTitle(text: string): string {
  return clipped(
    text
      .slice(0, longestTitle * 4)
      .replace(control, " ")
      .trim(),
    longestTitle,
  );
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
