import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../../core/errors.ts";
import { publishedDescriptions } from "../../testing/descriptions.ts";
import type { NormalizedSpec } from "../normalized-spec.ts";
import { parseText } from "./parse-text.ts";
import { readDescription } from "./read-description.ts";
import { Warnings } from "./warnings.ts";

// Real descriptions are too large to be kept with the project: where a folder of them is there, each must be read.
const names = existsSync(publishedDescriptions)
  ? readdirSync(publishedDescriptions, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(?:json|ya?ml|graphql)$/.test(name),
    )
  : [];
const textOf = (name: string) => readFileSync(join(publishedDescriptions, name), "utf8");

/** Those that give no interface, and the place that the error names. All others do. */
const refused = new Map([
  ["openapi31/mermade_schema.yaml", "/paths"],
  ["openapi31/readme_webhooks.json", "/webhooks"],
  ["openapi31/xero_webhooks.yaml", "/webhooks"],
  ["graphql/graphqljs_kitchen-sink.graphql", "line 161, column 1"],
  ["graphql/pokemon_schema.graphql", "line 1, column 1"],
  ["bad/malicious_yamlbomb.yaml", "/info/x-bye"],
  ["bad/mermade_3.0_fail_missingPathItemRef.yaml", "/paths/~1test"],
  ...[
    "comp_pathitems",
    "gluecon_example1_from_._Different_components.md",
    "gluecon_example1_from_._Different_parameters.md",
  ]
    .concat([
      "gluecon_example1_from_._Different_servers.md",
      "gluecon_example4_from_._Different_parameters.md",
      "info_summary",
    ])
    .concat(["invalidPattern", "license_identifier", "refAsInteger"])
    .map((name): [string, string] => [`bad/mermade_3.0_fail_${name}.yaml`, "/paths"]),
  ["bad/mermade_3.1_fail_unknown_container.yaml", "/paths"],
]);
const placeOfRefusal = (name: string) => refused.get(name) ?? (name.includes("fail_fuzz1") ? "/paths" : undefined);

describe.runIf(names.length > 0)("published descriptions", () => {
  test.each(names)("%s", (name) => {
    const text = textOf(name);
    const place = placeOfRefusal(name);
    if (place !== undefined) return expectRefusal(name, text, place);
    const { spec } = readDescription([{ name, text }]);
    const written = JSON.stringify(spec);
    expect(JSON.parse(written)).toStrictEqual(spec);
    expect(refsOf(spec).filter((ref) => !spec.models.some((model) => model.name === ref))).toEqual([]);
    // GraphQL's own language is terser than any JSON
    expect(written.length).toBeLessThan(Math.max(text.length * (spec.format === "graphql" ? 3 : 1.5), 128_000));
  });
});

function expectRefusal(name: string, text: string, place: string): void {
  const start = performance.now();
  expect(() => readDescription([{ name, text }])).toThrow(DragomanError);
  expect(() => readDescription([{ name, text }])).toThrow(
    expect.objectContaining({ code: "spec_invalid", data: { place } }),
  );
  expect(performance.now() - start).toBeLessThan(1000);
}

function refsOf(spec: NormalizedSpec): string[] {
  const refs = new Set<string>();
  JSON.stringify(spec, (key, value) => {
    if (key === "ref" && typeof value === "string") refs.add(value);
    return key === "example" ? undefined : value; // there it would be someone's data
  });
  return [...refs];
}

interface Converted {
  openapi: { paths: Record<string, Record<string, { requestBody?: unknown; parameters?: { in?: string }[] }>> };
}
const { convertObj }: { convertObj(description: unknown, options: object): Promise<Converted> } = createRequire(
  import.meta.url,
)("swagger2openapi");

const swagger2 = names.filter((name) => name.startsWith("swagger2/"));

describe.runIf(swagger2.length > 0)("Swagger 2 gives the operations and the bodies that a converter finds", () => {
  test.each(swagger2)("%s", async (name) => {
    const text = textOf(name);
    const { openapi } = await convertObj(parseText(text, "", new Warnings()), { patch: true, warnOnly: true });
    const expected = Object.entries(openapi.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => /^(?:get|put|post|delete|options|head|patch)$/.test(method))
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation.requestBody !== undefined]),
    );
    const { spec } = readDescription([{ name, text }]);
    const found = spec.endpoints?.map((endpoint) => [
      `${endpoint.method} ${endpoint.path}`,
      endpoint.requestBody !== undefined,
    ]);
    expect(found).toEqual(expected);
  });
});
