/** How long a server says to wait before it is asked again, where it does. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = numberIn(headers.get("retry-after-ms"));
  if (exact !== undefined) return exact;
  const text = headers.get("retry-after");
  const seconds = numberIn(text);
  if (seconds !== undefined) return seconds * 1000;
  const at = text?.endsWith("GMT") ? Date.parse(text) : Number.NaN; // almost any text would be some date
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function numberIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
