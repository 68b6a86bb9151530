import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { publishedDescriptions } from "../../testing/descriptions.ts";
import { emitModule } from "../emitting/emit-module.ts";
import type { Resource } from "../kit/descriptor.ts";
import type { NormalizedSpec } from "../normalized-spec.ts";
import { readDescription } from "../reading/read-description.ts";
import { nameless, operationsIn } from "./api-under-test.ts";
import { understand } from "./understand.ts";

// Published descriptions, where they are at hand.
const folders = ["openapi3", "openapi31", "openapi32", "swagger2"].filter((name) =>
  existsSync(join(publishedDescriptions, name)),
);
const files = folders.flatMap((name) =>
  readdirSync(join(publishedDescriptions, name)).map((file) => `${name}/${file}`),
);
const onlyWebhooks = [
  "openapi31/mermade_schema.yaml",
  "openapi31/readme_webhooks.json",
  "openapi31/xero_webhooks.yaml",
];
const described = files.filter((file) => !onlyWebhooks.includes(file));

function specOf(file: string): NormalizedSpec {
  return readDescription([{ name: file, text: readFileSync(join(publishedDescriptions, file), "utf8") }]).spec;
}

const understoodSpecs = described.map((file) => {
  const spec = specOf(file);
  return { file, spec, model: understand(spec) };
});

/** The kit takes another list than the usual one for a filter that is set, and of several the first that has it. */
function neverChosen({ lists }: Resource): string[] {
  const lost = lists.filter(({ filters }, at) => {
    const before = new Set(lists.slice(0, at).flatMap((list) => list.filters.map(({ param }) => param)));
    return at > 0 && filters.every(({ param }) => before.has(param));
  });
  return lost.map(({ method, path }) => `${method} ${path}`);
}

describe.each(understoodSpecs)("$file", ({ spec, model }) => {
  const ids = model.resources.map(({ id }) => id);

  test("has every operation in one place", () => {
    const expected = (spec.endpoints ?? []).map(({ method, path }) => nameless(method, path));
    const found = operationsIn(model).map(({ method, path }) => nameless(method, path));
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test("has resources with ids and names of their own", () => {
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(model.resources.map(({ name }) => name.toLowerCase())).size).toBe(ids.length);
  });

  test("refers only to fields and resources that are there", () => {
    const broken = model.resources.filter(({ fields, columns, title, key, children = [], scopes = [] }) => {
      const names = new Set(fields.map(({ name }) => name));
      const named = [...columns, title, key?.field].filter((name) => name !== undefined);
      const led = [...children, ...scopes, ...fields.flatMap(({ relation, item }) => relation ?? item?.relation ?? [])];
      return (
        named.some((name) => !names.has(name)) ||
        led.some(({ resource }) => resource !== undefined && !ids.includes(resource))
      );
    });
    expect(broken.map(({ id }) => id)).toEqual([]);
  });

  test("has a parameter for all that its paths leave open", () => {
    const open = operationsIn(model).filter(({ path, params }) =>
      [...path.matchAll(/\{([^{}]+)\}/g)].some(
        ([, name]) => !params.some((param) => param.in === "path" && param.name === name),
      ),
    );
    const said = new Set((spec.endpoints ?? []).flatMap(({ parameters }) => parameters.map(({ name }) => name)));
    expect(
      open
        .filter(({ path }) => [...path.matchAll(/\{([^{}]+)\}/g)].every(([, name = ""]) => said.has(name)))
        .map(({ id }) => id),
    ).toEqual([]);
  });

  test("every further list is chosen by some filter or search of its own", () => {
    expect(model.resources.flatMap(neverChosen)).toEqual([]);
  });

  test("has a form for every scheme, and survives JSON", () => {
    const declared = (spec.securitySchemes ?? []).map(({ name }) => name);
    // Those that only parameters tell of come after them.
    expect(model.api.auth.map(({ id }) => id).slice(0, declared.length)).toEqual(declared);
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  });
});

const withoutTail = (path: string): string => path.replace(/\/+$/, "").replace(/\{[^{}]*\}/g, "{}");

test.runIf(described.length > 0)(
  "at least 95 of 100 collections and their items are one resource with a list and a detail",
  () => {
    const missed: string[] = [];
    let pairs = 0;
    for (const { file, spec, model } of understoodSpecs) {
      const reads = (spec.endpoints ?? []).filter(({ method }) => method === "GET");
      const known = new Set(
        model.resources.flatMap(({ lists, detail }) =>
          lists.map((list) => `${withoutTail(list.path)} ${withoutTail(detail?.path ?? "")}`),
        ),
      );
      const paths = new Map(reads.map((endpoint) => [withoutTail(endpoint.path), endpoint]));
      for (const path of paths.keys()) {
        const item = paths.get(`${path}/{}`);
        // A check that only says yes or no, a file, and what can be changed as a whole are no records of a collection.
        const isRecord =
          item !== undefined &&
          Object.values(item.responses).some(
            ({ statusCode, schema }) => /^2/.test(statusCode) && schema !== undefined && schema.format !== "binary",
          );
        const isOne = (spec.endpoints ?? []).some(
          ({ method, path: other }) => ["PUT", "PATCH"].includes(method) && withoutTail(other) === path,
        );
        if (path.endsWith("{}") || !isRecord || isOne) continue;
        pairs += 1;
        if (!known.has(`${path} ${path}/{}`)) missed.push(`${file} ${path}`);
      }
    }
    expect(missed.length / pairs, missed.join("\n")).toBeLessThan(0.05);
  },
);

const large = understoodSpecs.filter(({ spec }) => (spec.endpoints ?? []).length > 1000);

test.runIf(large.length > 0)("the largest stays small enough to load and to be changed: 2 MB", () => {
  const settings = { theme: "light", layout: "side", includeAuth: true, pagination: true } as const;
  const sizes = large.map(({ model }) => Buffer.byteLength(emitModule(model, settings)));
  expect(Math.max(...sizes)).toBeLessThan(2 * 1024 * 1024);
});
