import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { publishedDescriptions } from "../../../testing/descriptions.ts";
import { readDescription } from "../../reading/read-description.ts";
import { ineffective, objections, understood, unplaced } from "./schema-under-test.ts";
import { understandGraphql } from "./understand-graphql.ts";

// Published schemas, where they are at hand.
const folder = join(publishedDescriptions, "graphql");
const schemas = existsSync(folder) ? readdirSync(folder).filter((name) => isWhole(textOf(name))) : [];

function textOf(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

/** Some are parts of a schema, or no schema that any server could have. */
function isWhole(text: string): boolean {
  try {
    return buildSchema(text, { assumeValidSDL: true }).getQueryType() != null;
  } catch {
    return false;
  }
}

describe.each(schemas)("%s", (name) => {
  const model = understood(textOf(name));

  test("has no document that a server would refuse", () => {
    expect(objections(textOf(name), model)).toEqual([]);
  });

  test("has every query and mutation somewhere", () => {
    expect(unplaced(textOf(name), model)).toEqual([]);
  });

  test("has a field in its forms for every variable, and no other", () => {
    expect(ineffective(model)).toEqual([]);
  });

  test("has resources with distinct ids, whose columns, titles, keys and relations are there", () => {
    const ids = model.resources.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const broken = model.resources.flatMap(({ id, fields, columns, title, key, children = [], scopes = [] }) => {
      const names = fields.map((field) => field.name);
      const named = [...columns, ...(title === undefined ? [] : [title]), ...(key === undefined ? [] : [key.field])];
      const led = [...children, ...scopes, ...fields.flatMap(({ relation }) => relation ?? [])].flatMap(
        ({ resource }) => resource ?? [],
      );
      const isWrong =
        named.some((one) => !names.includes(one)) || led.some((one) => !ids.includes(one)) || columns.length === 0;
      return isWrong ? [id] : [];
    });
    expect(broken).toEqual([]);
  });

  test("is a model of bounded size that survives JSON", () => {
    const text = JSON.stringify(model);
    expect(JSON.parse(text)).toEqual(model);
    expect(text.length).toBeLessThan(1_000_000);
  });
});

test.runIf(schemas.includes("github.graphql"))("GitHub's schema is a small model of what people know it for", () => {
  const { spec } = readDescription([{ name: "github.graphql", text: textOf("github.graphql") }]);
  const started = performance.now();
  const model = understandGraphql(spec, {});
  expect(performance.now() - started).toBeLessThan(30_000); // a hundred times what it takes: "not forever", however busy the machine is
  expect(JSON.stringify(model).length).toBeLessThan(600_000);
  const outline = model.resources.map(({ id, scopes = [] }) => [id, ...scopes.map(({ param }) => param)].join(" "));
  expect(outline).toEqual(
    expect.arrayContaining([
      "repository",
      "user",
      "organization",
      "issue owner name",
      "pull-request owner name",
      "release owner name",
      "team login",
    ]),
  );
});

test.runIf(schemas.includes("swapi.graphql"))(
  "SWAPI is its six kinds of things, each listed, paged and looked at one by one",
  () => {
    const { resources } = understood(textOf("swapi.graphql"));
    expect(
      resources.map(({ name, plural, lists, detail }) => [
        name,
        plural,
        lists[0]?.path,
        lists[0]?.paging?.kind,
        detail?.path,
      ]),
    ).toEqual([
      ["Film", "Films", "allFilms", "relay", "film"],
      ["Person", "People", "allPeople", "relay", "person"],
      ["Planet", "Planets", "allPlanets", "relay", "planet"],
      ["Species", "Species", "allSpecies", "relay", "species"],
      ["Starship", "Starships", "allStarships", "relay", "starship"],
      ["Vehicle", "Vehicles", "allVehicles", "relay", "vehicle"],
    ]);
  },
);
