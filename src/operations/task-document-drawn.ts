import type { Heading, Outline } from "./task-document-entries.ts";

/** Mermaid draws wherever it stands; plain arrows do under a heading that says so, elsewhere they may be an example. */
const draws = (fence: string, heading: Heading | undefined) =>
  /^\s*(?:`{3,}|~{3,})\s*mermaid\b/i.test(fence) ||
  (/^\s*(?:`{3,}|~{3,})\s*(?:text|txt|ascii)?\s*$/i.test(fence) && /\bgraph\b|\bdiagram\b/i.test(heading?.title ?? ""));

/** Lines of a drawn graph: the only code that is read, and of it only what names tasks that there are. */
export function drawnLines({ lines, headings }: Outline): { text: string; line: number; heading: Heading }[] {
  let at = 0;
  let graph = false;
  return lines.flatMap(({ kind, raw, number }) => {
    while ((headings[at + 1]?.line ?? Number.POSITIVE_INFINITY) <= number) at++;
    const heading = headings[at];
    if (/^\s*(?:```|~~~)/.test(raw)) graph = !graph && draws(raw, heading);
    const wanted = kind === "code" && graph && heading && heading.line < number;
    return wanted ? [{ text: raw, line: number, heading }] : [];
  });
}
