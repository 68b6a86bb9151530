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

test("a token is got by signing in, also where what that takes is described elsewhere, or a choice", () => {
  const models = {
    Password: object({ username: text, password: text }),
    Refresh: object({ refresh_token: text }),
    Either: { unionOf: [{ ref: "Password" }, { ref: "Refresh" }], type: "union" } satisfies Schema,
  };
  for (const name of ["Password", "Either"]) {
    const { api: whole } = understand(api({ "POST /auth/token": { body: { ref: name } } }, models));
    expect(whole.signIn?.map(({ kind }) => kind)).toEqual(["signIn"]);
  }
});
