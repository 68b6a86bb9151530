/** Gives each id once: who comes later gets a number. It remembers the numbers, so that many alike cost no more than others. */
export function freeIds(): (wanted: string) => string {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return (wanted) => {
    let id = wanted;
    let number = next.get(wanted) ?? 2;
    for (; taken.has(id); number += 1) id = `${wanted}-${number}`;
    next.set(wanted, number);
    taken.add(id);
    return id;
  };
}

/** Names of the schema that differ, as `do_it` and `doIt`, may be one id. */
export function numbered<One extends { id: string }>(all: One[]): One[] {
  const free = freeIds();
  return all.map((one) => ({ ...one, id: free(one.id) }));
}
