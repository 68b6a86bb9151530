import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configJsonSchema } from "./schema.ts";

// To renew it: DRAGOMAN_SCHEMAS=renew npx vitest run src/config/schema.test.ts && npx biome check --write schemas

const file = new URL("../../schemas/dragoman.schema.json", import.meta.url);

test("the JSON schema that is checked in is that of the configuration", () => {
  if (process.env.DRAGOMAN_SCHEMAS === "renew") {
    writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
  }
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(configJsonSchema());
});
