import { expect, test } from "vitest";
import type { Field, Json } from "../descriptor.ts";
import { nameWords } from "./format.ts";
import { mockObject, mockValue } from "./mock-values.ts";
import { field } from "./petstore.test.data.ts";

const rows = Array.from({ length: 47 }, (_, row) => row);
const placeIn = (subject: string, row: number) => ({
  seed: `${subject}/${row}`,
  row: row + 1,
  subject: nameWords(subject),
  turn: { of: subject, at: row },
});
const column = (subject: string, name: string, more: Partial<Field> = {}): Json[] =>
  rows.map((row) => mockValue(field(name, "text", more), placeIn(subject, row)));

/** The names whose values do not all look as they should. */
const odd = (looks: [subject: string, name: string, look: RegExp][]) =>
  looks.flatMap(([subject, name, look]) => {
    const value = column(subject, name).find((one) => !look.test(String(one)));
    return value === undefined ? [] : [`${subject} ${name}: ${value}`];
  });

test("a text looks like what its name says", () => {
  const looks: [string, string, RegExp][] = [
    ["film", "releaseDate", /^20\d\d-\d\d-\d\d$/],
    ["film", "created", /^202\d-\d\d-\d\dT\d\d:\d\d:00Z$/],
    ["film", "director", /^[A-Z]\w+ [A-Z]\w+$/],
    ["film", "openingCrawl", /\.$/],
    ["person", "birthYear", /^(19|20)\d\d$/],
    ["person", "eyeColor", /^(brown|blue|green|hazel|grey)$/],
    ["planet", "population", /^\d{5,}$/],
    ["order", "currencyCode", /^[A-Z]{3}$/],
    ["order", "taxPercentage", /^\d{1,2}(\.\d)?$/],
    ["shop", "openingHours", /\d:00–\d\d:00$/],
    ["client", "companyRegistrationNumber", /^[A-Z]{3}-\d{4}$/],
    ["user", "primary_email_address_id", /^[\da-f]{12}$/],
    ["user", "api_key", /^sk_test_••••••••[\da-f]{4}$/],
    ["network", "mac_address", /^([\da-f]{2}:){5}[\da-f]{2}$/],
    ["container", "image", /^[a-z]+:[\w.-]+$/],
    ["image", "digest", /^sha256:[\da-f]{64}$/],
    ["commit", "message", /^[A-Z][^.]+$/],
    ["issue", "state", /^(open|closed)$/],
    ["repository", "default_branch", /^main$/],
    ["repository", "full_name", /^[a-z]+\/[a-z]+-[a-z]+$/],
    ["attachment", "content_type", /^[a-z]+\/[\w.+-]+$/],
    ["email", "reply_to", /^[a-z.]+@example\.com$/],
    ["thing", "legalForm", /^[a-z]+$/],
  ];

  expect(odd(looks)).toEqual([]);
});

test("what a thing is called depends on what it is", () => {
  const names = ["film", "issue", "pet", "planet", "repository"].map(
    (subject) => column(subject, "name")[0],
  );

  expect(names).toEqual([
    "An Unfinished Garden",
    "Show time zones in the calendar",
    "Nala",
    "Aldera",
    "field-worker",
  ]);
});

test("neighbours have different names, and whole names do not come back", () => {
  const pets = column("pet", "name").slice(0, 28);
  const products = column("product", "name");

  expect([new Set(pets).size, new Set(products).size]).toEqual([28, 47]);
});

test("where a name tells nothing, texts look like the example", () => {
  const like = (example: string, name = "thing") => column("x", name, { example })[0];

  expect([like("us-east-1"), like("WITHDRAWAL"), like("CO2")]).toEqual([
    "us-east-1",
    "WITHDRAWAL",
    "CO2",
  ]);
  expect(like("Up 4 days", "status")).toMatch(/^Up \d days$/);
  expect(like("cus_9sXn2Fq", "id")).toMatch(/^cus_\d[a-z][A-Z][a-z]\d[A-Z][a-z]$/);
  expect(like("sha256:ec3f0931", "id")).toMatch(/^sha256:[a-f]{2}\d[a-f]\d{4}$/);
  expect(like("Acme <hello@acme.dev>")).toMatch(/^\w+ \w+ <[a-z.]+@example\.com>$/);
  expect(like("2023-04-03 22:13:42+00", "created_at")).toMatch(/^202\d-\d\d-\d\d [\d:]{8}\+00$/);
});

test("what an object says about itself fits together", () => {
  const repository = mockObject(
    ["name", "slug", "html_url", "commits_url"].map((name) => field(name, "text")),
    placeIn("repository", 2),
  );
  const { name } = repository;

  expect(repository).toEqual({
    name,
    slug: name,
    html_url: `https://example.com/${name}`,
    commits_url: `https://example.com/${name}/commits`,
  });
});

test("a city lies in its country", () => {
  const names = ["city", "country", "countryCode", "state", "timeZone", "currency"];
  const fields = names.map((name) => field(name, "text"));
  const addresses = rows.map((row) => mockObject(fields, placeIn("office", row)));

  expect(addresses.filter(({ city }) => city === "Lisbon")[0]).toEqual({
    city: "Lisbon",
    country: "Portugal",
    countryCode: "PT",
    state: "Lisboa",
    timeZone: "Europe/Lisbon",
    currency: "EUR",
  });
});

test("a file's type is that of its name", () => {
  const fields = ["filename", "content_type"].map((name) => field(name, "text"));
  const files = rows.map((row) => mockObject(fields, placeIn("attachment", row)));

  expect(files.filter(({ filename }) => filename === "price-list.csv")[0]).toEqual({
    filename: "price-list.csv",
    content_type: "text/csv",
  });
});

test("addresses of pictures in lists are addresses, and pictures are never fetched", () => {
  const urls = field("photoUrls", "list", { item: field("photourl", "text") });
  const image = field("image", "image", { example: "https://cdn.example/a.jpg" });

  expect(mockValue(urls, placeIn("pet", 1))).toContainEqual(
    expect.stringMatching(/^https:\/\/example\.com\/images\/photo-\d{4}\.jpg$/),
  );
  expect(mockValue(image, { ...placeIn("pet", 0), row: 0 })).toMatch(/^data:/);
});
