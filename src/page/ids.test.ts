import { expect, test } from "vitest";
import { derivedId, isUuid } from "../core/ids.ts";

const page: { newId(): string; derivedId(namespace: string, name: string): Promise<string | undefined> } = await import(
  new URL("ids.js", import.meta.url).href
);

test("the page derives the same ids as the server", async () => {
  const runId = page.newId();
  expect(isUuid(runId)).toBe(true);
  expect(runId.charAt(14)).toBe("4");
  expect(await page.derivedId(runId, "queued")).toBe(derivedId(runId, "queued"));
});
