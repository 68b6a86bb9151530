import { expect, test } from "vitest";
import { featureStore } from "../operations/features/index.ts";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { checkFeatureThere } from "./feature-there.ts";

const newWorkspace = temporaryWorkspaces();
const specs = (...names: string[]) =>
  newWorkspace().files(Object.fromEntries(names.map((name) => [`specs/${name}/spec.md`, "# A feature\n"])));
const check = (feature: string, ...names: string[]) =>
  checkFeatureThere(feature, featureStore(specs(...names).path, {}));

test("a feature that is there is no mistake", async () => {
  await expect(check("003-bulk-refunds", "003-bulk-refunds")).resolves.toBeUndefined();
});

test.each([
  ["bulk-refunds", "There is no feature bulk-refunds. Did you mean 003-bulk-refunds?"],
  ["3", "There is no feature 3. Did you mean 003-bulk-refunds?"],
  ["002-Refunds", "There is no feature 002-Refunds. Did you mean 003-bulk-refunds or 004-refunds-by-mail?"],
  [
    "package.json",
    "There is no feature package.json. There is: 001-a, 002-b, 003-bulk-refunds, 004-refunds-by-mail, 005-c and 1 more.",
  ],
])("%s is none, and it is said what may have been meant", async (feature, message) => {
  const names = ["001-a", "002-b", "003-bulk-refunds", "004-refunds-by-mail", "005-c", "006-d"];
  await expect(check(feature, ...names)).rejects.toEqual(
    expect.objectContaining({ code: "document_not_found", message }),
  );
});

test("where there is none at all, it is said how to begin", async () => {
  const message = "There is no feature x. There is none yet: describe one in specs/<name>/spec.md.";
  await expect(check("x")).rejects.toEqual(expect.objectContaining({ code: "document_not_found", message }));
});
