import fc from "fast-check";
import { expect, test } from "vitest";
import { fileName } from "./file-names.ts";
import { toDo } from "./plain-words.ts";

test.each([
  ["System MUST let members upload photos up to 25 MB each.", "upload-photos"],
  ["System MUST keep deleted photos for 30 days so that they can be restored.", "keep-deleted-photos"],
  ["System MUST permanently delete photos immediately when a member deletes them.", "delete-photos"],
  ["System MUST authenticate users via [NEEDS CLARIFICATION: auth method?]", "authenticate-users"],
  ["Guests MUST be able to view shared albums without login.", "view-shared-albums"],
  ["System MUST notify members about new photos.", "notify-members"],
  ["Members MUST be able to add, rename, tick off and remove items of the list.", "manage-list-items"],
  ["Managers MUST be able to approve or reject a report with a reason.", "approve-report"],
  ["System MUST refuse more than 8 members in a household.", "limit-members"],
  ["System MUST show the last 10 stations of a parcel with their time.", "show-parcel-stations"],
  ["Share with guests", "share-with-guests"],
  ["The system sends an SMS 24 hours before the appointment", "send-sms"],
  ["日本語の要件", "fr-001"],
])("%s is done in %s", (text, name) => {
  expect(fileName(toDo(text, 120), "FR-001")).toBe(name);
});

test("every text gives a name that a file can have", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(fileName(text, "FR-001")).toMatch(/^[a-z0-9][a-z0-9-]{0,39}$/);
    }),
  );
});
