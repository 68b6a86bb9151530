import { expect, test } from "vitest";
import type { Schema } from "../normalized-spec.ts";
import { api, object, text, whole } from "./api-under-test.ts";
import { understand } from "./understand.ts";

test("actions say whether they send or bring files, and whether they cannot be undone", () => {
  const file: Schema = { type: "string", format: "binary" };
  const [resource] = understand(
    api({
      "GET /pets/{id}": { answer: object({ id: whole, name: text }) },
      "POST /pets/{id}/photo": {
        body: object({ photo: file }),
        sent: "multipart/form-data",
        summary: "Upload a photo",
      },
      "GET /pets/{id}/photo": { answer: file, summary: "Get the photo" },
      "POST /pets/{id}/revoke": { summary: "Revoke its licence" },
    }),
  ).resources;
  expect(resource?.actions.map(({ label, kind, dangerous }) => [label, kind, dangerous])).toEqual([
    ["Upload a photo", "upload", undefined],
    ["Get the photo", "download", undefined],
    ["Revoke its licence", "action", true],
  ]);
});
