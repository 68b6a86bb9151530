// Formatting a time costs as much as the rest of a message, but a message often has the time of the one before, or its second.
const endings = Array.from({ length: 1000 }, (_, ms) => `.${String(ms).padStart(3, "0")}Z`);
let lastAt = Number.NaN;
let lastText = "";
let lastSecond = Number.NaN;
let secondText = "";

/** ISO 8601 with milliseconds, in UTC. */
export function isoTime(at: number): string {
  if (at === lastAt) return lastText;
  const second = Math.floor(at / 1000);
  if (second !== lastSecond) {
    secondText = new Date(second * 1000).toISOString().slice(0, 19);
    lastSecond = second;
  }
  lastAt = at;
  lastText = secondText + endings[Math.floor(at - second * 1000)];
  return lastText;
}
