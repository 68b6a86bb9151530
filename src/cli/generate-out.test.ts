import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { writeProject } from "./generate-out.ts";

const root = mkdtempSync(join(tmpdir(), "dragoman-out-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const fresh = () => mkdtempSync(join(root, "project-"));
const read = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");

test("what was written is written again, and what is no longer part of it goes", async () => {
  const folder = join(fresh(), "not", "there", "yet");
  await writeProject(folder, { "a.ts": "1", "src/b.ts": "2" }, false);
  await writeProject(folder, { "a.ts": "3" }, false);
  expect(read(folder, "a.ts")).toBe("3");
  expect(existsSync(join(folder, "src/b.ts"))).toBe(false);
});

test("what a person changed is left alone, and what is new for it is written beside it", async () => {
  const folder = fresh();
  await writeProject(folder, { "a.ts": "1", "b.ts": "1", "c.ts": "1", "d.ts": "1", "gone.ts": "1" }, false);
  for (const path of ["a.ts", "c.ts", "new.ts", "gone.ts"]) writeFileSync(join(folder, path), "mine");
  rmSync(join(folder, "b.ts"));
  const files = { "a.ts": "2", "b.ts": "2", "c.ts": "1", "d.ts": "2", "new.ts": "2" };
  const kept = await writeProject(folder, files, false);
  expect(kept).toEqual({ outdated: ["a.ts", "new.ts"], current: ["c.ts"], abandoned: ["gone.ts"] });
  const texts = ["a.ts", "a.ts.new", "b.ts", "c.ts", "d.ts", "new.ts", "new.ts.new", "gone.ts"].map((path) =>
    read(folder, path),
  );
  expect(texts).toEqual(["mine", "2", "2", "mine", "2", "mine", "2", "mine"]);
  expect(existsSync(join(folder, "c.ts.new"))).toBe(false);
  expect(await writeProject(folder, files, false)).toEqual({
    outdated: [],
    current: ["a.ts", "c.ts", "new.ts"],
    abandoned: [],
  });
  await writeProject(folder, files, true);
  expect(read(folder, "a.ts")).toBe("2");
});

test("a folder with something else in it is left alone", async () => {
  const folder = fresh();
  writeFileSync(join(folder, "thesis.md"), "mine");
  await expect(writeProject(folder, { "a.ts": "1" }, false)).rejects.toThrow(/is not empty.*--force/);
  expect(existsSync(join(folder, "a.ts"))).toBe(false);
});

test("a record that someone wrote cannot have a file outside removed", async () => {
  const folder = fresh();
  const outside = join(root, "precious");
  writeFileSync(outside, "x");
  const files = { "../precious": "", [outside]: "", "src/../../precious": "" };
  writeFileSync(join(folder, ".dragoman.json"), JSON.stringify({ files }));
  await writeProject(folder, { "a.ts": "1" }, true);
  expect(existsSync(outside)).toBe(true);
});

const record = (...paths: string[]) => JSON.stringify({ files: Object.fromEntries(paths.map((path) => [path, ""])) });

describe("nothing outside the folder is written, read or removed, whatever links are in it", () => {
  const cases: [claim: string, prepare: (folder: string, outside: string) => void][] = [
    ["a link to a file", (folder, outside) => symlinkSync(join(outside, "precious"), join(folder, "a.ts"))],
    ["a link to nothing yet", (folder, outside) => symlinkSync(join(outside, "new"), join(folder, "a.ts"))],
    ["a link to a folder", (folder, outside) => symlinkSync(outside, join(folder, "src"))],
    [
      "a record that names files behind a link",
      (folder, outside) => {
        symlinkSync(outside, join(folder, "old"));
        writeFileSync(join(folder, ".dragoman.json"), record("old/precious"));
      },
    ],
    ["a record that is a link", (folder, outside) => symlinkSync(join(outside, "new"), join(folder, ".dragoman.json"))],
  ];

  test.each(cases)("%s", async (_, prepare) => {
    const [folder, outside] = [fresh(), fresh()];
    writeFileSync(join(outside, "precious"), "mine");
    prepare(folder, outside);
    for (const force of [true, false]) {
      const writing = writeProject(folder, { "a.ts": "1", "src/precious": "1" }, force);
      await expect(writing).rejects.toThrow(/is a link|is not empty/);
    }
    expect([readdirSync(outside), read(outside, "precious")]).toEqual([["precious"], "mine"]);
  });

  test("a file that has a second name outside keeps what it holds there", async () => {
    const [folder, outside] = [fresh(), fresh()];
    writeFileSync(join(outside, "precious"), "mine");
    linkSync(join(outside, "precious"), join(folder, "a.ts"));
    await writeProject(folder, { "a.ts": "1" }, true);
    expect([read(outside, "precious"), read(folder, "a.ts")]).toEqual(["mine", "1"]);
  });

  test("the folder itself may be a link: that one was given", async () => {
    const [parent, real] = [fresh(), fresh()];
    symlinkSync(real, join(parent, "shop"));
    await writeProject(join(parent, "shop"), { "src/a.ts": "1" }, false);
    expect(read(real, "src/a.ts")).toBe("1");
  });

  test("a folder in the place of a file is left alone, and told", async () => {
    const folder = fresh();
    mkdirSync(join(folder, "a.ts"));
    await expect(writeProject(folder, { "a.ts": "1" }, true)).rejects.toThrow(/in the way/);
  });
});
