/** Characters that fill two columns of a terminal: East Asian ones and pictures. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|[\u{1F000}-\u{1FAFF}]|[\u{20000}-\u{3FFFD}]/u;

const segments = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A line of at most `width` columns, without characters that would move the cursor; what is cut off ends in "…". */
export function cutToColumns(line: string, width: number): string {
  const clean = line.replace(/\p{Cc}|[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, " ");
  let [columns, end] = [0, 0];
  let fitting = 0;
  for (const { segment, index } of segments.segment(clean)) {
    columns += WIDE.test(segment) || segment.includes("\uFE0F") ? 2 : 1;
    if (columns <= width - 1) fitting = index + segment.length;
    if (columns > width) return width < 1 ? "" : `${clean.slice(0, fitting)}…`;
    end = index + segment.length;
  }
  return clean.slice(0, end);
}
