/** Whether an object is the same after a journey through JSON, told without the journey: nothing in it is nested or odd. */
export function isFlat(object: object): boolean {
  for (const key in object) {
    const value = object[key as keyof typeof object] as unknown;
    if (typeof value === "string" || typeof value === "boolean") continue;
    if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  }
  return true;
}
