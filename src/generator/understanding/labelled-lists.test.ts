import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { publishedDescriptions } from "../../testing/descriptions.ts";
import type { InterfaceModel } from "../interface-model.ts";
import type { Paging } from "../kit/descriptor.ts";
import { readDescription } from "../reading/read-description.ts";
import { nameless } from "./api-under-test.ts";
import { understand } from "./understand.ts";

interface Label {
  file: string;
  method: string;
  path: string;
  rows: string[];
  paging: string;
}

const labels: Label[] = JSON.parse(
  readFileSync(new URL("../../../test/descriptions/labelled-lists.json", import.meta.url), "utf8"),
);
const there = labels.filter(({ file }) => existsSync(join(publishedDescriptions, file)));

const models = new Map<string, InterfaceModel>();

function modelOf(file: string): InterfaceModel {
  const known = models.get(file);
  const model =
    known ??
    understand(readDescription([{ name: file, text: readFileSync(join(publishedDescriptions, file), "utf8") }]).spec);
  models.set(file, model);
  return model;
}

/** A label names how the next page is asked for. Where a Link header carries a cursor that a parameter takes, our kind is "link", with that parameter. */
function isLabelled(paging: Paging | undefined, label: string): boolean {
  const kind = paging?.kind ?? "none";
  return kind === label || (label === "cursor" && paging?.kind === "link" && paging.param !== undefined);
}

const patience = 240_000; // half a hundred descriptions are read

test.runIf(there.length > 0)(
  "rows and paging of at least 95 of 100 lists are as a person labelled them",
  { timeout: patience },
  () => {
    const misses = there.flatMap(({ file, method, path, rows, paging }) => {
      const lists = modelOf(file).resources.flatMap((resource) => resource.lists);
      const list = lists.find((one) => nameless(one.method, one.path) === nameless(method, path));
      const isRight =
        list !== undefined && JSON.stringify(list.rows) === JSON.stringify(rows) && isLabelled(list.paging, paging);
      return isRight
        ? []
        : [
            `${file} ${method} ${path}: ${JSON.stringify(rows)} ${paging}, not ${JSON.stringify(list?.rows)} ${list?.paging?.kind}`,
          ];
    });
    expect(misses.length, misses.join("\n")).toBeLessThanOrEqual(there.length * 0.05);
  },
);
