import { expect, test } from "vitest";
import type { Operation, Resource } from "../descriptor.ts";
import { offerText } from "./resource-card.tsx";

const operation: Operation = { id: "o", method: "GET", path: "/", params: [] };
const bare: Resource = {
  ...{ id: "key", name: "API key", plural: "API keys" },
  ...{ fields: [], columns: [], lists: [], actions: [] },
};

test("a resource without a description is introduced by what one can do with it", () => {
  const texts = [
    { ...bare, lists: [{ ...operation, rows: [], filters: [] }], create: operation },
    { ...bare, detail: operation, update: operation, remove: operation },
    { ...bare, create: operation },
    bare,
  ].map(offerText);
  expect(texts).toEqual([
    "Browse and create API keys.",
    "Look up, edit and delete API keys.",
    "Create API keys.",
    "Work with API keys.",
  ]);
});
