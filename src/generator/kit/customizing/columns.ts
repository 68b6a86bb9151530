/**
 * The columns with one of them there or not. One that is `usual` comes where it was among those;
 * a list has at least one.
 */
export function withColumn(
  columns: string[],
  name: string,
  shown: boolean,
  usual: string[],
): string[] {
  const others = columns.filter((one) => one !== name);
  if (!shown) return others.length > 0 ? others : columns;
  if (columns.includes(name)) return columns;
  const before = usual.slice(0, Math.max(0, usual.indexOf(name)));
  const last = others.findLastIndex((one) => before.includes(one));
  const at = usual.includes(name) ? last + 1 : others.length;
  return others.toSpliced(at, 0, name);
}
