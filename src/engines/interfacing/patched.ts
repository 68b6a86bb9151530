/** A place in the code, by its text, and what stands there instead. */
export interface Patch {
  find: string;
  replace: string;
}

/** An anchor that is any shorter is found by chance. */
const SHORTEST_ANCHOR = 8;

/** Throws an error that says which of them does not fit, and why. */
export function patched(code: string, patches: Patch[]): string {
  return patches.reduce((now, { find, replace }, at) => {
    const first = now.indexOf(find);
    const named = `Patch ${at + 1} (${JSON.stringify(find.slice(0, 60))})`;
    if (find.trim().length < SHORTEST_ANCHOR) throw new Error(`${named}: what is to be found is too short.`);
    if (first < 0) throw new Error(`${named}: that text is not in the code.`);
    if (now.indexOf(find, first + 1) >= 0) throw new Error(`${named}: that text is in the code more than once.`);
    return now.slice(0, first) + replace + now.slice(first + find.length);
  }, code);
}
