import { existsSync, linkSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { temporaryWorkspaces, type Workspace } from "../testing/workspace.ts";
import { targetOf } from "./workspace-path.ts";

const workspace = temporaryWorkspaces();
const target = (at: Workspace, path: string, writes = false) => targetOf(path, at.context, { writes });
const inside = (at: Workspace, path: string) => ({
  path,
  real: join(at.path, path),
  outside: false,
  control: false,
  writes: false,
});
const outside = (path: string, real: string) => ({ path, real, outside: true, control: false, writes: false });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a path in the workspace", () => {
  test("is shown from the workspace, however it is given", async () => {
    const at = workspace().files({ "src/a.ts": "" });
    for (const path of ["src/a.ts", "./src//a.ts", "src/../src/a.ts", "src/a.ts/", join(at.path, "src/a.ts")]) {
      expect(await target(at, path)).toEqual(inside(at, "src/a.ts"));
    }
    expect(await target(at, ".")).toEqual({ ...inside(at, "."), real: at.path });
  });

  test("need not exist, nor the folders above it", async () => {
    const at = workspace();
    expect(await target(at, "new/deep/file.txt", true)).toEqual({ ...inside(at, "new/deep/file.txt"), writes: true });
  });

  test("may begin with a tilde, which is a name like any other", async () => {
    const at = workspace();
    expect(await target(at, "~/.ssh/id")).toEqual(inside(at, "~/.ssh/id"));
  });

  test("is the one that a link in it leads to", async () => {
    const at = workspace().files({ "docs/AGENTS.md": "" });
    symlinkSync("docs", join(at.path, "pages"));
    symlinkSync("pages/AGENTS.md", join(at.path, "CLAUDE.md"));
    expect(await target(at, "CLAUDE.md")).toEqual(inside(at, "docs/AGENTS.md"));
  });

  test("is known as such when the workspace itself was given by a link", async () => {
    const at = workspace();
    symlinkSync("app", join(at.around, "by-link"));
    const context = { ...at.context, workspace: join(at.around, "by-link") };
    expect(await targetOf("a.txt", context, { writes: false })).toEqual(inside(at, "a.txt"));
    expect(await targetOf(join(at.around, "by-link/a.txt"), context, { writes: false })).toEqual(inside(at, "a.txt"));
  });
});

describe("a path that leads out of the workspace", () => {
  test("is outside by .., by being absolute, and as a sibling whose name begins the same", async () => {
    const at = workspace();
    expect(await target(at, "../x")).toEqual(outside("../x", join(at.around, "x")));
    expect(await target(at, "a/../../x")).toEqual(outside("../x", join(at.around, "x")));
    expect(await target(at, "/etc/passwd")).toEqual(outside("/etc/passwd", realpathSync("/etc/passwd")));
    expect(await target(at, "../app-evil/x")).toEqual(outside("../app-evil/x", join(at.around, "app-evil/x")));
    expect(await target(at, `${at.path}-evil`)).toEqual(outside(`${at.path}-evil`, `${at.path}-evil`));
    expect(await target(at, "..")).toEqual(outside("..", at.around));
  });

  test("is outside by a linked folder, and shown as where it leads", async () => {
    const at = workspace();
    mkdirSync(join(at.around, "elsewhere"));
    symlinkSync(join(at.around, "elsewhere"), join(at.path, "vendor"));
    const real = join(at.around, "elsewhere/new/file.txt");
    expect(await target(at, "vendor/new/file.txt")).toEqual(outside(real, real));
  });

  test("is outside by a link to what does not exist", async () => {
    const at = workspace();
    symlinkSync("../not-there-yet", join(at.path, "dangling"));
    symlinkSync("dangling", join(at.path, "twice"));
    const real = join(at.around, "not-there-yet");
    expect(await target(at, "twice")).toEqual(outside(real, real));
    expect(await target(at, "twice/below")).toEqual(outside(join(real, "below"), join(real, "below")));
  });

  test("is outside by a link behind a folder that does not exist", async () => {
    const at = workspace();
    symlinkSync("..", join(at.path, "up"));
    const real = join(at.around, "x");
    expect(await target(at, "nope/../up/x")).toEqual(outside(real, real));
  });

  test("is outside by .. behind a link, which is the folder above the link's target", async () => {
    const at = workspace();
    mkdirSync(join(at.around, "far/away"), { recursive: true });
    symlinkSync("../far/away", join(at.path, "away"));
    const real = join(at.around, "far/x");
    expect(await target(at, "away/../x")).toEqual(outside(real, real));
  });
});

describe("a path that cannot be used", () => {
  test("is refused with what to do", async () => {
    const at = workspace();
    symlinkSync("loop", join(at.path, "loop"));
    await expect(target(at, "")).rejects.toMatchObject({
      code: "invalid_tool_args",
      message: 'The path is empty. Use "." for the workspace itself.',
    });
    await expect(target(at, "a\0b")).rejects.toMatchObject({ code: "invalid_tool_args" });
    await expect(target(at, "loop")).rejects.toMatchObject({
      code: "tool_failed",
      message: "loop leads through too many symbolic links.",
    });
    await expect(target(at, "n".repeat(5000))).rejects.toMatchObject({ code: "tool_failed" });
  });

  test("is any, when the workspace is gone", async () => {
    const at = workspace();
    rmSync(at.path, { recursive: true });
    const gone = {
      code: "tool_failed",
      message: `The workspace ${at.path} is gone. Put the folder back, or start a session in another one.`,
    };
    await expect(target(at, "a.txt")).rejects.toMatchObject(gone);
    writeFileSync(at.path, "a file now");
    await expect(target(at, "a.txt")).rejects.toMatchObject(gone);
  });
});

describe("a control file", () => {
  const isControl = async (at: Workspace, path: string) => (await target(at, path, true)).control;

  test.each([
    "dragoman.json",
    "packages/deep/Dragoman.JSON",
    ".git",
    ".git/config",
    ".GIT/hooks/pre-commit",
    "sub/.git/config",
    ".gitattributes",
    "docs/.gitModules",
    ".agents/skills/x/SKILL.md",
    ".Agents",
    ".agentſ/skills/x", // a long s
    ".g\u200Cit/config",
    ".git./config",
    ".git::$INDEX_ALLOCATION/config",
    "GIT~1/config",
  ])("is %s", async (path) => {
    expect(await isControl(workspace(), path)).toBe(true);
  });

  test.each(["dragoman.json.md", "src/git/config", ".github/workflows/ci.yml", ".gitignore", "agents/x"])(
    "is not %s",
    async (path) => {
      expect(await isControl(workspace(), path)).toBe(false);
    },
  );

  test("is one by a link, by a hard link, and by the name of a link that leads away", async () => {
    const at = workspace().files({ "dragoman.json": "{}", ".git/hooks/pre-commit": "", "other.json": "" });
    symlinkSync("dragoman.json", join(at.path, "notes.txt"));
    symlinkSync(".git/hooks", join(at.path, "scripts"));
    linkSync(join(at.path, "dragoman.json"), join(at.path, "harmless.txt"));
    linkSync(join(at.path, ".git/hooks/pre-commit"), join(at.path, "hook.txt"));
    linkSync(join(at.path, "other.json"), join(at.path, "another.json"));
    symlinkSync("other.json", join(at.path, ".gitattributes"));
    expect(await isControl(at, "notes.txt")).toBe(true);
    expect(await isControl(at, "scripts/new-hook")).toBe(true);
    expect(await isControl(at, "harmless.txt")).toBe(true);
    expect(await isControl(at, "hook.txt")).toBe(true);
    expect(await isControl(at, "another.json")).toBe(false);
    expect(await isControl(at, ".gitattributes")).toBe(true);
  });

  test("is one when it is called so in another folder than the workspace", async () => {
    expect(await isControl(workspace(), "../other/.git/config")).toBe(true);
  });

  test("is not one because of the names above the workspace", async () => {
    const at = workspace().files({ ".agents/project/a.txt": "" });
    const context = { ...at.context, workspace: join(at.path, ".agents/project") };
    expect((await targetOf("a.txt", context, { writes: true })).control).toBe(false);
  });

  test("is all that lies in Dragoman's own data folder, also by a link", async () => {
    const at = workspace();
    mkdirSync(join(at.around, "data/workspaces"), { recursive: true });
    writeFileSync(join(at.around, "data/token"), "");
    writeFileSync(join(at.around, "data/workspaces/x.json"), "{}");
    linkSync(join(at.around, "data/workspaces/x.json"), join(at.path, "record.txt"));
    symlinkSync("data", join(at.around, "home"));
    linkSync(join(at.around, "data/token"), join(at.path, "token.txt"));
    vi.stubEnv("DRAGOMAN_HOME", join(at.around, "home"));
    expect(await isControl(at, "../data/rules.json")).toBe(true);
    expect(await isControl(at, "../home/rules.json")).toBe(true);
    expect(await isControl(at, "../DATA/rules.json")).toBe(true);
    expect(await isControl(at, "token.txt")).toBe(true);
    expect(await isControl(at, "record.txt")).toBe(true);
    expect(await isControl(at, "../data-of-others/rules.json")).toBe(false);
  });
});

test("what is said to be inside is truly below the real workspace, whatever links there are", async () => {
  const name = fc.constantFrom("a", "b", "link", "app", "app-evil", "..", ".", "", "~");
  const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((names) => names.join("/") || ".");
  const links = fc.array(fc.tuple(path, path), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(links, path, async (links, asked) => {
      const at = workspace();
      mkdirSync(`${at.path}-evil`);
      mkdirSync(join(at.path, "a/b"), { recursive: true });
      for (const [from, to] of links) makeLink(at, from, to);
      const { real, outside } = await target(at, asked).catch((error) => {
        expect(error).toMatchObject({ code: "tool_failed" });
        return { real: "/", outside: true };
      });
      // Seen as the kernel sees it, by making the file there.
      if (!outside && makeFile(real)) expect(realpathSync(real)).toBe(real);
      if (!outside) expect(`${real}${sep}`.startsWith(at.path + sep)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

function makeLink(at: Workspace, from: string, to: string): void {
  try {
    symlinkSync(to, join(at.path, from));
  } catch {
    // Something is there already, or nothing above it.
  }
}

function makeFile(path: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, "");
    return true;
  } catch {
    return false;
  }
}
