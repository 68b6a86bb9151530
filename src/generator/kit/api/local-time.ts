const twoDigits = (number: number) => String(number).padStart(2, "0");

/** An instant as an input of type datetime-local wants it, or undefined if the text is none. */
export function localDateTime(text: string): string | undefined {
  const instant = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT/i.test(text) || Number.isNaN(instant.getTime())) return undefined;
  const date = [instant.getMonth() + 1, instant.getDate()].map(twoDigits).join("-");
  const seconds = instant.getSeconds();
  const time = [instant.getHours(), instant.getMinutes(), ...(seconds ? [seconds] : [])];
  const year = String(instant.getFullYear()).padStart(4, "0");
  return `${year}-${date}T${time.map(twoDigits).join(":")}`;
}

/** What a person entered as a local time, as an instant for the API. */
export function instantOf(localTime: string): string {
  const instant = new Date(localTime);
  if (Number.isNaN(instant.getTime())) return localTime;
  return instant.toISOString().replace(".000Z", "Z");
}
