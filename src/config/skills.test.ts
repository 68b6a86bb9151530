import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { readSkillFile } from "./skill-file.ts";
import { type Budget, findSkills } from "./skill-tree.ts";
import { bounded, Skills } from "./skills.ts";

const folder = temporaryFolder();
let [repo, userFolder] = ["", ""];
let skills: Skills;
let count = 0;

beforeEach(() => {
  const path = join(realpathSync(folder.path), String(count++));
  [repo, userFolder] = [join(path, "repo"), join(path, "user")];
  for (const made of [join(repo, ".git"), userFolder]) mkdirSync(made, { recursive: true });
  skills = new Skills({ userFolder });
});

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** `at` is the folder of the skill, from that of all skills. */
function skill(under: string, at: string, description = `How to ${at}`): string {
  const text = `---\nname: ${basename(at)}\ndescription: ${description}\n---\nBody.\n`;
  return write(join(under, ".agents/skills", at, "SKILL.md"), text);
}

const entry = (path: string, scope: "repo" | "user", description: string) => {
  const name = basename(dirname(path));
  const mtimeMs = Math.floor(statSync(path).mtimeMs);
  return { id: `${scope}:${name}`, name, description, path, dir: dirname(path), scope, mtimeMs };
};

const names = async (cwd = repo) => (await skills.list({ cwd })).skills.map(({ id }) => id);

test("finds the skills from the working folder up to the repo's root, and the user's", async () => {
  const cwd = join(repo, "packages", "api");
  mkdirSync(cwd, { recursive: true });
  const deploy = skill(repo, "ops/deploy");
  const nearReview = skill(cwd, "review", "Ours");
  skill(repo, "review", "The repo's");
  const mine = skill(userFolder, "review", "Mine");
  skill(dirname(repo), "above");
  skill(join(repo, "packages", "web"), "beside");
  expect(await skills.list({ cwd })).toEqual({
    skills: [
      entry(deploy, "repo", "How to ops/deploy"),
      entry(nearReview, "repo", "Ours"),
      entry(mine, "user", "Mine"),
    ],
    errors: [],
    truncated: false,
  });
});

test("without a repo only the working folder's own count, and without any folder there are none", async () => {
  rmSync(join(repo, ".git"), { recursive: true });
  expect(await skills.list({ cwd: repo })).toEqual({ skills: [], errors: [], truncated: false });
  skill(repo, "here");
  mkdirSync(join(repo, "below"));
  expect([await names(), await names(join(repo, "below"))]).toEqual([["repo:here"], []]);
});

test("a working folder that is gone leaves the user's skills, and is told of", async () => {
  skill(userFolder, "mine");
  const cwd = join(repo, "gone");
  const { skills: found, errors } = await skills.list({ cwd });
  expect(found.map(({ id }) => id)).toEqual(["user:mine"]);
  expect(errors).toEqual([{ path: cwd, message: expect.stringContaining("ENOENT") }]);
});

test("whoever keeps their own folder in a repo has one set of skills", async () => {
  mkdirSync(join(userFolder, ".git"));
  skill(userFolder, "mine");
  expect(await names(userFolder)).toEqual(["user:mine"]);
  const link = join(userFolder, "..", "link");
  symlinkSync(userFolder, link);
  const byLink = new Skills({ userFolder: link });
  expect((await byLink.list({ cwd: link })).skills.map(({ id }) => id)).toEqual(["user:mine"]);
});

test("two of a name in one tree are a mistake, and the first counts", async () => {
  const first = skill(repo, "a/review");
  const second = skill(repo, "b/review");
  expect(await skills.list({ cwd: repo })).toEqual({
    skills: [entry(first, "repo", "How to a/review")],
    errors: [{ path: second, message: `${first} has the same name.` }],
    truncated: false,
  });
});

describe("the front matter", () => {
  const read = (text: string, name = "demo") => readSkillFile(write(join(repo, "x.md"), text), name);

  test.each<[string, string]>([
    ["CRLF", "---\r\nname: demo\r\ndescription: Works\r\n---\r\n"],
    ["a byte order mark", "\ufeff---\nname: demo\ndescription: Works\n---\n"],
    ["quotes and a comment", "--- \nname: 'demo' # it\ndescription: \"Works\"\n---"],
    ["a folded block", "---\nname: demo\ndescription: >\n  Works\n---\n"],
    ["other keys", "---\nlicense: MIT\nmetadata: {a: [1, 2]}\nname: demo\ndescription: Works\n---\n"],
    ["__proto__", "---\n__proto__: {name: evil}\nname: demo\ndescription: Works\n---\n"],
    ["a body of another encoding", "---\nname: demo\ndescription: Works\n---\n\udc00"],
  ])("is read with %s", async (_, text) => {
    expect(await read(text)).toMatchObject({ head: { name: "demo", description: "Works" } });
  });

  test("is text, whatever else YAML could make of it", async () => {
    const head = { name: "2024", description: "yes" };
    expect(await read("---\nname: 2024\ndescription: yes\n---\n", "2024")).toMatchObject({ head });
  });

  test.each<[string, string, string]>([
    ["is not there", "# Demo\n", 'It does not begin with front matter: a line "---" must come first.'],
    ["has no end", "---\nname: demo\n", 'Its front matter is not closed by "---" within 65536 bytes.'],
    ["is no map", "---\n- a\n---\n", "Its front matter needs a name and a description."],
    ["is empty", "---\n---\n", "Its front matter needs a name and a description."],
    ["has no name", "---\ndescription: x\n---\n", "Its front matter has no name."],
    ["has two names", "---\nname: a\nname: demo\n---\n", "Its front matter has more than one name."],
    ["has a list for a name", "---\nname: [demo]\ndescription: x\n---\n", "Its name must be text."],
    ["has no description", "---\nname: demo\n---\n", "Its front matter has no description."],
    ["has an empty description", "---\nname: demo\ndescription:\n---\n", "Its description is empty."],
    [
      "has another name",
      "---\nname: other\ndescription: x\n---\n",
      'Its name is "other" and must be that of its folder, "demo".',
    ],
    [
      "has a name in capitals",
      "---\nname: Demo\ndescription: x\n---\n",
      "Its name must be in kebab-case, of at most 64 characters.",
    ],
    [
      "has a name of 65",
      `---\nname: ${"a".repeat(65)}\ndescription: x\n---\n`,
      "Its name must be in kebab-case, of at most 64 characters.",
    ],
    [
      "has a description of 1025",
      `---\nname: demo\ndescription: ${"é".repeat(1025)}\n---\n`,
      "Its description has 1025 characters; 1024 are allowed.",
    ],
  ])("is refused when it %s", async (_, text, problem) => {
    expect(await read(text)).toEqual({ problem });
  });

  test("with a colon in a text says what is wrong", async () => {
    const { problem } = (await read("---\nname: demo\ndescription: Use: it\n---\n")) as { problem: string };
    expect(problem).toMatch(/^Its front matter is not valid YAML: .* Text with a colon needs quotes\.$/);
  });

  const K = 64 * 1024 - 100;
  test.each<[string, string]>([
    ["aliases of aliases", bomb()],
    ["many aliases", `a: &a x\nb: [${"*a,".repeat(K / 3 - 10)}]`],
    ["lists in lists", "[".repeat(K)],
    ["closed lists in lists", `${"[".repeat(K / 2)}${"]".repeat(K / 2)}`],
    ["lists over lines", "[\n".repeat(K / 2)],
    ["maps in maps", "{a: ".repeat(K / 4)],
    ["dashes", "- ".repeat(K / 2)],
    ["question marks", "? ".repeat(K / 2)],
    ["colons", ": ".repeat(K / 2)],
    ["commas", `[${",".repeat(K)}`],
    ["keys", Array.from({ length: K / 8 }, (_, index) => `k${index}:`).join("\n")],
    ["steps to the right", Array.from({ length: 350 }, (_, index) => `${" ".repeat(index)}a:`).join("\n")],
    ["anchors", "&a ".repeat(K / 3)],
    ["merges", "<<: *a\n".repeat(K / 7)],
    ["lines", "\n".repeat(K)],
  ])("is a bomb of %s that is refused within 100 ms", async (_, yaml) => {
    const times: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const start = performance.now();
      expect(await read(`---\n${yaml}\n---\n`)).toEqual({ problem: expect.any(String) });
      times.push(performance.now() - start);
    }
    expect(Math.min(...times)).toBeLessThan(100); // the machine may have had something else to do
  });

  function bomb(): string {
    const level = (index: number) =>
      `a${index}: &a${index} [${Array(9)
        .fill(`*a${index - 1}`)
        .join(",")}]`;
    return ["a0: &a0 lol", ...Array.from({ length: 20 }, (_, index) => level(index + 1)), "name: *a20"].join("\n");
  }

  test("of 64 KB and more is refused, and a long body is not read", async () => {
    const long = `---\nx: ${"y".repeat(70_000)}\nname: demo\n---\n`;
    expect(await read(long)).toEqual({ problem: 'Its front matter is not closed by "---" within 65536 bytes.' });
    const body = `---\nname: demo\ndescription: x\n---\n${"y\n".repeat(1_000_000)}`;
    expect(await read(body)).toMatchObject({ head: { name: "demo" } });
  });
});

describe("a tree with traps in it", () => {
  test("links that go round are followed once", async () => {
    skill(repo, "a/demo");
    const root = join(repo, ".agents/skills");
    symlinkSync(root, join(root, "a", "again"));
    symlinkSync(join(root, "loop"), join(root, "loop"));
    expect(await names()).toEqual(["repo:demo"]);
  });

  test("a link out of the repo is not followed, one of the user's is", async () => {
    const elsewhere = join(repo, "..", "elsewhere");
    const target = write(join(elsewhere, "demo", "SKILL.md"), "---\nname: demo\ndescription: x\n---\n");
    for (const one of [repo, userFolder]) mkdirSync(join(one, ".agents/skills/file"), { recursive: true });
    symlinkSync(dirname(target), join(repo, ".agents/skills/demo"));
    symlinkSync(target, join(repo, ".agents/skills/file/SKILL.md"));
    symlinkSync(dirname(target), join(userFolder, ".agents/skills/demo"));
    const message = "It is a link that leads out of the repo, and is not followed.";
    const { skills: found, errors } = await skills.list({ cwd: repo });
    expect(found.map(({ id }) => id)).toEqual(["user:demo"]);
    expect(errors).toEqual([
      { path: join(repo, ".agents/skills/demo"), message },
      { path: join(repo, ".agents/skills/file/SKILL.md"), message },
    ]);
  });

  test("a fifo, a folder and a link to nothing are no skills, and hold nothing up", async () => {
    const at = (name: string) => {
      mkdirSync(join(repo, ".agents/skills", name), { recursive: true });
      return join(repo, ".agents/skills", name, "SKILL.md");
    };
    execFileSync("mkfifo", [at("fifo")]);
    mkdirSync(at("folder"));
    symlinkSync(join(repo, "nothing"), at("link"));
    const { skills: found, errors } = await skills.list({ cwd: repo });
    expect(found).toEqual([]);
    expect(errors).toEqual([
      { path: at("link"), message: expect.stringContaining("ENOENT") },
      { path: at("fifo"), message: "It is not a regular file." },
      { path: at("folder"), message: "It is not a regular file." },
    ]);
  });

  test("one that is too deep is cut", async () => {
    skill(repo, "demo");
    skill(repo, "1/2/3/4/5/6/7/8/deep");
    const { skills: found, truncated } = await skills.list({ cwd: repo });
    expect({ found: found.map(({ id }) => id), truncated }).toEqual({ found: ["repo:demo"], truncated: true });
  });

  test("one with very many files is cut, and so is one with very many skills", async () => {
    for (const name of ["a", "b", "c"]) skill(repo, name);
    const root = { path: join(repo, ".agents/skills") };
    const cut = async (budget: Budget) => {
      const { found, truncated } = await findSkills(root, budget);
      return [found.length, truncated];
    };
    expect(await cut({ entries: 6, files: 3 })).toEqual([3, false]);
    expect(await cut({ entries: 5, files: 3 })).toEqual([2, true]);
    expect(await cut({ entries: 6, files: 2 })).toEqual([2, true]);
  });
});

test("lists at most 200 skills", () => {
  const short = { id: "a", name: "a", description: "b", path: "/a", dir: "/", scope: "repo", mtimeMs: 1 } as const;
  const of = (length: number) => bounded({ skills: Array(length).fill(short), errors: [], truncated: false });
  expect([of(200), of(201)].map(({ skills, truncated }) => [skills.length, truncated])).toEqual([
    [200, false],
    [200, true],
  ]);
});

test("is cut also when only errors are left out", () => {
  const of = (length: number) =>
    bounded({ skills: [], errors: Array(length).fill({ path: "/a", message: "b" }), truncated: false });
  expect([of(100), of(101)].map(({ errors, truncated }) => [errors.length, truncated])).toEqual([
    [100, false],
    [100, true],
  ]);
});

test("lists at most 32 KiB, and at most 100 errors", async () => {
  for (let index = 0; index < 40; index++) skill(repo, `s${index}`, "d".repeat(1000));
  for (let index = 0; index < 101; index++) skill(repo, `S${index}`);
  const { skills: found, errors, truncated } = await skills.list({ cwd: repo });
  const bytes = JSON.stringify(found.map(({ mtimeMs, ...rest }) => ({ ...rest, mtime_ms: mtimeMs }))).length;
  expect({ truncated, errors: errors.length, small: bytes <= 32 * 1024 }).toEqual({
    truncated: true,
    errors: 100,
    small: true,
  });
  expect(bytes).toBeGreaterThan(30 * 1024);
});

describe("a list that is asked for again", () => {
  test("shows what came, changed and went", async () => {
    const path = skill(repo, "demo", "Old");
    skill(repo, "gone");
    expect(await names()).toEqual(["repo:demo", "repo:gone"]);
    rmSync(join(repo, ".agents/skills/gone"), { recursive: true });
    skill(repo, "demo", "New");
    skill(userFolder, "came");
    expect(await skills.list({ cwd: repo })).toEqual({
      skills: [
        entry(path, "repo", "New"),
        entry(join(userFolder, ".agents/skills/came/SKILL.md"), "user", "How to came"),
      ],
      errors: [],
      truncated: false,
    });
  });

  test("is the same while nothing changes, also when all is to be read again", async () => {
    const path = skill(repo, "demo", "Old");
    const [old] = (await skills.list({ cwd: repo })).skills;
    for (const forceReload of [false, true]) {
      expect((await skills.list({ cwd: repo, forceReload })).skills).toEqual([old]);
    }
    utimesSync(path, 1, 1);
    expect((await skills.list({ cwd: repo })).skills).toEqual([{ ...old, mtimeMs: 1000 }]);
  });
});
