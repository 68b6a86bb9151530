/** A name as it stands within a sentence: "New API key", not "New Api Key" or "New api key". */
export function inSentence(name: string): string {
  return name.replace(/\S+/g, (word) => (/^\S+[A-Z]/.test(word) ? word : word.toLowerCase()));
}
