/** A name in code for each id: `org-member` is `orgMemberResource`. No two are the same, and none is one of those taken. */
export function identifiers(ids: string[], taken: Set<string>): Map<string, string> {
  const used = new Set(taken);
  const names = new Map<string, string>();
  for (const id of ids) {
    const wanted = `${camelCase(id)}Resource`;
    const name = unused(wanted, used);
    used.add(name);
    names.set(id, name);
  }
  return names;
}

export function unused(wanted: string, used: Set<string>): string {
  let name = wanted;
  for (let count = 2; used.has(name); count++) name = `${wanted}${count}`;
  return name;
}

export function camelCase(id: string): string {
  const words = id.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const name = words.map((word, at) => (at === 0 ? lowered(word) : word[0]?.toUpperCase() + word.slice(1))).join("");
  return /^[A-Za-z]/.test(name) ? name : `the${name}`;
}

const lowered = (word: string) => word[0]?.toLowerCase() + word.slice(1);

// Names that a folder or a file system has for itself.
const reserved = /^(?:index|api|shared|resources|con|prn|aux|nul|com\d|lpt\d)$/;

/** The file of a resource, without its ending. Ids differ also where case does not count. */
export function fileNames(ids: string[]): Map<string, string> {
  const used = new Set<string>();
  const names = new Map<string, string>();
  for (const id of ids) {
    const safe =
      id
        .toLowerCase()
        .replace(/[^a-z0-9-]+/g, "-")
        .slice(0, 80) || "resource";
    const name = unused(reserved.test(safe) ? `${safe}-resource` : safe, used);
    used.add(name);
    names.set(id, name);
  }
  return names;
}
