import type { NormalizedSpec, Tag } from "../../normalized-spec.ts";
import { cleanTitle, clipped } from "../clipped-text.ts";
import type { RawNode } from "../raw-node.ts";
import type { Reading } from "../reading.ts";

export function readMetadata(reading: Reading, root: RawNode, servers: string[]): NormalizedSpec["metadata"] {
  const info = root.child("info");
  const title = cleanTitle(info?.text("title") ?? "");
  if (title === "") reading.warnings.add(info?.child("title")?.place ?? "/info", "The description has no title");
  const description = info?.text("description") ?? info?.text("summary");
  const [baseUrl] = servers;
  return {
    title: title || "Untitled API",
    version: cleanTitle(info?.text("version") ?? ""),
    ...(description && { description: clipped(description) }),
    ...(baseUrl !== undefined && { baseUrl, servers }),
  };
}

export function readTags(list: RawNode | undefined): Tag[] {
  const tags = new Map<string, Tag>();
  for (const node of list?.items() ?? []) {
    const name = cleanTitle(node.text("name") ?? (typeof node.value === "string" ? node.value : ""));
    if (name === "" || tags.has(name)) continue;
    const description = node.text("description") ?? node.text("summary");
    const parent = node.text("parent");
    tags.set(name, {
      name,
      ...(description && { description: clipped(description) }),
      ...(parent && { parent: cleanTitle(parent) }),
    });
  }
  return [...tags.values()];
}
