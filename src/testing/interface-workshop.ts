import type { Answer, Asked } from "./interface-api.ts";

export const machine = {
  id: "m1",
  name: "Old press",
  kind: "press",
  active: true,
  address: { street: "Main Street", city: "Bern" },
  nickname: "Bertha",
  weight: 40.5,
  servicedAt: "2026-01-02T03:04:05Z",
  tags: ["heavy"],
  drive: { type: "diesel", litres: 3.5 },
  settings: { any: ["thing", null] },
};

/** A server that keeps what is created, and has one machine and two owners from the start. */
export function workshop(): (asked: Asked) => Answer {
  const records: Record<string, { id: string; [name: string]: unknown }> = {
    m1: machine,
    o1: { id: "o1", name: "Ada", email: "ada@example.com" },
    o2: { id: "o2", name: "Grace", email: "grace@example.com" },
  };
  return ({ method, path, body }) => {
    const [, collection = "", id = "", below, noteId] = path.split("/");
    const isNotes = below === "notes";
    if (method === "GET") {
      const listed = isNotes ? [] : Object.values(records).filter((one) => one.id.startsWith(collection.charAt(0)));
      const key = isNotes ? noteId : id;
      return { json: key ? records[key] : listed };
    }
    if (method === "DELETE" || (below && !isNotes)) return { status: 204 };
    const key = isNotes ? "n9" : id || `${collection.charAt(0)}9`;
    const record = { ...JSON.parse(body), id: key };
    if (method === "POST") records[key] = record;
    return { json: record };
  };
}
