import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { versionBeside, versionSaid } from "./agent-version.ts";
import { agentFolders, programFinder, type Surroundings } from "./find-agents.ts";
import { findPackage } from "./find-package.ts";

const folder = temporaryFolder();
let root = "";
let count = 0;

beforeEach(() => {
  root = join(realpathSync(folder.path), String(count++));
  mkdirSync(join(root, "work"), { recursive: true });
});

const at = (...path: string[]) => join(root, ...path);

function file(path: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const program = (...path: string[]) => file(at(...path), "#!/bin/sh\necho 1.2.3\n", 0o755);

function link(to: string, ...path: string[]): string {
  mkdirSync(dirname(at(...path)), { recursive: true });
  symlinkSync(to, at(...path));
  return at(...path);
}

const around = (more: Partial<Surroundings> = {}): Surroundings => ({
  workspace: at("work"),
  trusted: false,
  env: { PATH: [at("bin"), at("more")].join(":") },
  home: at("home"),
  packageFolder: at("dragoman"),
  execPath: at("node", "bin", "node"),
  ...more,
});

const find = (names: string[], more?: Partial<Surroundings>) => programFinder(around(more))(names);

test("an agent is found on the PATH, the first of its names first", () => {
  const [second, other] = [program("more", "agent"), program("bin", "old-agent")];
  expect(find(["agent", "old-agent"])).toBe(second);
  const first = program("bin", "agent");
  expect(find(["agent", "old-agent"])).toBe(first);
  expect(find(["old-agent"])).toBe(other);
  expect(find(["none"])).toBeUndefined();
});

test("what cannot be run is not found, nor a folder, nor a link that leads nowhere", () => {
  file(at("bin", "agent"), "text");
  mkdirSync(at("bin", "other"));
  link(at("nowhere"), "bin", "third");
  expect(["agent", "other", "third"].map((name) => find([name]))).toEqual([undefined, undefined, undefined]);
});

test("a folder of the PATH that is not absolute is in whichever folder one is in, and not looked into", () => {
  program("work", "bin", "agent");
  expect(find(["agent"], { env: { PATH: "bin:./bin:" }, trusted: true })).toBeUndefined();
});

test("an agent is found beside Dragoman, however that was installed", () => {
  const own = program("dragoman", "node_modules", ".bin", "agent");
  expect(find(["agent"])).toBe(own);
  const beside = program("app", "node_modules", ".bin", "agent");
  expect(find(["agent"], { packageFolder: at("app", "node_modules", "dragoman") })).toBe(beside);
  program("node_modules", ".bin", "agent"); // anyone may write to a folder above, such as /tmp
  expect(find(["agent"], { packageFolder: at("elsewhere") })).toBeUndefined();
});

test("an agent is found where npm installs for all, as npm is told or beside Node", () => {
  const usual = program("node", "bin", "agent");
  expect(find(["agent"])).toBe(usual);
  const written = program("home", "npm", "bin", "agent");
  file(at("home", ".npmrc"), `fund=false\nprefix = \${HOME}/npm\n`);
  expect(find(["agent"], { env: { HOME: at("home") } })).toBe(written);
  file(at("home", ".npmrc"), 'prefix="~/npm"\n');
  expect(find(["agent"])).toBe(written);
  const set = program("set", "bin", "agent");
  expect(find(["agent"], { env: { npm_config_prefix: at("set") } })).toBe(set);
});

describe("a folder that is not trusted", () => {
  test.each([
    ["as npx puts it on the PATH", () => ({ env: { PATH: at("work", "node_modules", ".bin") } })],
    ["by a link on the PATH", () => ({ env: { PATH: link(at("work", "node_modules", ".bin"), "linked") } })],
    ["as where Dragoman is installed", () => ({ packageFolder: at("work", "node_modules", "dragoman") })],
    ["as where npm installs", () => ({ env: { npm_config_prefix: at("work", "node_modules") } })],
    ["by itself", () => ({})],
  ])("brings no agent, %s, and does once it is trusted", (_, more) => {
    const brought = program("work", "node_modules", ".bin", "agent");
    program("work", "node_modules", "bin", "agent");
    const given = more();
    expect(find(["agent"], given)).toBeUndefined();
    expect(realpathSync(find(["agent"], { ...given, trusted: true }) ?? "")).toMatch(
      /work\/node_modules\/\.?bin\/agent$/,
    );
    expect(find(["agent"], { trusted: true })).toBe(brought);
  });

  test("brings none by a program elsewhere that leads into it", () => {
    const linked = link(program("work", "agent.js"), "bin", "agent");
    expect(find(["agent"])).toBeUndefined();
    expect(find(["agent"], { trusted: true })).toBe(linked);
  });
});

test("no folder is looked into twice", () => {
  const folders = agentFolders(around({ env: { PATH: [at("bin"), at("bin"), at("node", "bin")].join(":") } }));
  expect(folders).toEqual([at("bin"), at("node", "bin"), at("dragoman", "node_modules", ".bin")]);
});

describe("the version of a program", () => {
  test("is that of the package that brings it, through links, and nothing is started", () => {
    const real = file(at("lib", "agent", "dist", "index.js"), "exit 1", 0o755);
    file(at("lib", "agent", "dist", "package.json"), '{"type":"module"}');
    file(at("lib", "agent", "package.json"), '{"version":"2.6.0","bin":{"agent":"./dist/index.js"}}');
    expect(versionBeside(link(real, "bin", "agent"))).toBe("2.6.0");
  });

  test.each([
    ["is not told by a package that does not bring it", '{"version":"9.9.9","bin":{"other":"other.js"}}'],
    ["is not told by a package without programs", '{"version":"9.9.9"}'],
    ["is not told by what is no JSON", "{"],
  ])("%s", (_, text) => {
    file(at("home", "package.json"), text);
    expect(versionBeside(program("home", "bin", "agent"))).toBeUndefined();
  });

  const said = (script: string, timeoutMs?: number) => {
    const path = file(at("bin", "agent"), `#!/bin/sh\n${script}\n`, 0o755);
    const own = { env: { PATH: process.env.PATH, MY_TOKEN: "7.7.7" }, home: root };
    return versionSaid(path, { MINE: "4.5.6" }, own, timeoutMs);
  };

  test("is what the program says, which sees no secret", async () => {
    expect(await said('[ "$1" = --version ] && echo "agent version $MY_TOKEN v$MINE-beta.1 (abc)"')).toBe(
      "4.5.6-beta.1",
    );
  });

  test("is not known where the program does not say it", async () => {
    expect(await said("echo usage: agent; exit 2")).toBeUndefined();
    expect(await said("sleep 600", 50)).toBeUndefined();
    expect(await versionSaid(at("nowhere"), {}, { env: {}, home: root })).toBeUndefined();
  });
});

test("a package is found as an import finds it", () => {
  const place = (path: string) => dirname(file(at(path, "package.json"), `{"version":"${path.length}.0.0"}`));
  const above = place("node_modules/@a/b");
  expect(findPackage("@a/b", at("x", "node_modules", "dragoman"))).toMatchObject({ folder: above });
  const beside = place("x/node_modules/@a/b");
  expect(findPackage("@a/b", at("x", "node_modules", "dragoman"))).toEqual({ folder: beside, version: "19.0.0" });
  expect(findPackage("@a/c", root)).toBeUndefined();
});
