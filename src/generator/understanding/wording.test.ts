import { expect, test } from "vitest";
import { shapeOf } from "./path-shape.ts";
import type { Prose } from "./prose.ts";
import { figureLabel, operationLabel } from "./wording.ts";

const prose: Prose = { isCommon: (word) => /^(feedback|examples|from|file|order|dataset|app)$/i.test(word) };

const called = (place: string, summary?: string, operationId?: string, isOnPage = true): string => {
  const [method = "", path = ""] = place.split(" ");
  return operationLabel({ method, path, summary, operationId }, shapeOf(path, method), prose, isOnPage);
};

test("a button says what to do, with one capital, but for names", () => {
  const summaries = [
    "Revokes an invitation",
    "uploads an image.",
    "Returns the markup",
    "Create Feedback Examples From a File",
    "Create a Svix App",
    "Add dns record with id",
    "Status of the build",
  ];
  expect(summaries.map((summary) => called("POST /things/{id}/do", summary))).toEqual([
    "Revoke an invitation",
    "Upload an image",
    "Get the markup",
    "Create feedback examples from a file",
    "Create a Svix App",
    "Add DNS record with ID",
    "Status of the build",
  ]);
});

test("what the page says anyhow is left out, unless nothing would be left", () => {
  const place = "DELETE /orgs/{org}/copilot/billing/selected_teams";
  const said = "Remove teams from the Copilot subscription for an organization";
  expect(called(place, said)).toBe("Remove teams from the Copilot subscription");
  expect(called("POST /orgs/{org}/invite", "Get a list of all invitations of an organization")).toBe(
    "Get a list of all invitations",
  );
  expect(called("GET /orgs/{org}/invitations/pending", "Get a list of organization invitations")).toBe(
    "Get a list of organization invitations",
  );
  expect(called("POST /orgs/{org}/invite", "Invite a person to an organization", undefined, false)).toBe(
    "Invite a person to an organization",
  );
});

test("without a summary the id says it, or the path if the id only repeats that", () => {
  expect([
    called("POST /pets/{id}/feed", undefined, "post-pets-id-feed"),
    called("POST /pets/{id}/feed", undefined, "Pets_FeedOnePet"),
    called("POST /pets/{id}/feed", undefined, "pets/feed-now"),
    called("DELETE /cache"),
    called("POST /pets/{id}/feed"),
  ]).toEqual(["Feed", "Feed one pet", "Feed now", "Delete cache", "Feed"]);
});

test("a figure is called by what it counts", () => {
  expect(["Get the pet inventory", "Count users", "Get all figures", "Usage"].map(figureLabel)).toEqual([
    "Pet inventory",
    "Number of users",
    "Figures",
    "Usage",
  ]);
});
