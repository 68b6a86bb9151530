/** What a program printed, without what only a terminal understands. */
export function printedText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal would obey
  return text.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, "").replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}
