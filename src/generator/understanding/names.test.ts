import { expect, test } from "vitest";
import { kebabOf, labelOf, valueLabel, wordsOf } from "./names.ts";
import { pluralOf, singularOf } from "./plurals.ts";

test("the words of an identifier are found in any casing", () => {
  const found = ["petId", "created_at", "photoURLs", "HTTPServer", "page[size]", "X-Rate-Limit", "größeCm"].map(
    wordsOf,
  );
  expect(found).toEqual([
    ["pet", "id"],
    ["created", "at"],
    ["photo", "urls"],
    ["http", "server"],
    ["page", "size"],
    ["x", "rate", "limit"],
    ["größe", "cm"],
  ]);
});

test("words that are written as one are told apart where no other word can be meant", () => {
  const found = [
    "photourl",
    "userid",
    "apikey",
    "hostname",
    "curl",
    "paid",
    "IPv6Address",
    "OAuth2",
    "ETag",
    "EnableIPv4",
  ];
  expect(found.map(labelOf)).toEqual([
    "Photo URL",
    "User ID",
    "API key",
    "Hostname",
    "Curl",
    "Paid",
    "IPv6 address",
    "OAuth2",
    "ETag",
    "Enable IPv4",
  ]);
});

test("the word that is one or many is the last of a name in any casing, or that before a preposition", () => {
  const many = ["photoUrls", "photoURLs", "contactPeople", "Pull requests", "branches where head", "projectsV2", "IDs"];
  expect(many.map(singularOf)).toEqual([
    "photoUrl",
    "photoURL",
    "contactPerson",
    "Pull request",
    "branch where head",
    "projectV2",
    "ID",
  ]);
  expect(["Usage by repository", "Image by ID", "Project v2", "Sign in token"].map(pluralOf)).toEqual([
    "Usage by repository",
    "Images by ID",
    "Projects v2",
    "Sign in tokens",
  ]);
});

test("labels read like words, with acronyms as they are written", () => {
  const found = ["petId", "created_at", "photoUrls", "VATNumber", "API_KEY", "url", "__proto__", "*"].map(labelOf);
  expect(found).toEqual(["Pet ID", "Created at", "Photo URLs", "VAT number", "API key", "URL", "Proto", "*"]);
});

test("values that somebody wrote for people stay as they are", () => {
  expect(["in_progress", "NOT_STARTED", "OPEN", "On hold", "v1.2", "", null, true, 5].map(valueLabel)).toEqual([
    "In progress",
    "Not started",
    "Open",
    "On hold",
    "v1.2",
    "(empty)",
    "None",
    "Yes",
    "5",
  ]);
});

test.each([
  ["pet", "pets"],
  ["category", "categories"],
  ["person", "people"],
  ["status", "statuses"],
  ["branch", "branches"],
  ["cache", "caches"],
  ["address", "addresses"],
  ["index", "indices"],
  ["movie", "movies"],
  ["database", "databases"],
  ["analysis", "analyses"],
  ["pull request", "pull requests"],
  ["book-series", "book-series"],
  ["data", "data"],
])("one %s, many %s", (one, many) => {
  expect([pluralOf(one), singularOf(many), pluralOf(many), singularOf(one)]).toEqual([many, one, many, one]);
});

test("ids are letters, digits and dashes, and different names stay different", () => {
  const found = ["pullRequest", "Café", "名前", "名称", "a/b_c"].map(kebabOf);
  expect(found).toEqual(["pull-request", "cafe", "540d524d", "540d79f0", "a-b-c"]);
});
