/**
 * Whose code, besides one's own, is in a version: their name, or nothing. Code runs with the credentials of whoever looks at it, so it is
 * theirs also where one has changed it since, gone back to it, or had the interface made anew, into which edits go over. What nobody's
 * name is on was made by the user of this machine, who could take credentials anyway. `agreed` has the versions that one has said yes to.
 */
export function otherIn(version, { versions, me, agreed }) {
  for (let at = version; at >= 1 && !agreed.has(at); ) {
    const one = versions.find((listed) => listed.version === at);
    if (!one) return "somebody else";
    if (one.by !== undefined && one.by !== me) return one.by;
    at = Math.min(one.of ?? at, at - 1);
  }
  return undefined;
}
