import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { gitCommands } from "./git-commands.ts";

const folder = temporaryFolder();
let workspace: string;

beforeEach(() => {
  workspace = mkdtempSync(join(folder.path, "w-"));
  mkdirSync(join(workspace, ".git", "hooks"), { recursive: true });
});

const file = (name: string, text: string, mode = 0o644) => writeFileSync(join(workspace, ".git", name), text, { mode });

test("names the hooks that would run and the settings that hold a command", async () => {
  file("hooks/pre-commit", "", 0o755);
  file("hooks/pre-push", "");
  file("hooks/update.sample", "", 0o755);
  file("config", "[core]\n\tbare = false\n\tfsmonitor = evil\n[alias]\n\tst = status\n\tx = !evil\n");
  expect(await gitCommands(workspace)).toEqual([
    "hook pre-commit",
    "setting core.fsmonitor = evil",
    "setting alias.x = !evil",
  ]);
});

test("finds a setting however it is written, and in the file of a work tree too", async () => {
  file("config", '[filter.x]\nclean=a\n[FILTER "x]y"] Smudge = b\n[alias]\n x = "!c"\n[tar "x"]\ncommand = d\n');
  file("config.worktree", "[diff]external=e\n");
  expect(await gitCommands(workspace)).toEqual([
    "setting filter.clean = a",
    "setting filter.Smudge = b",
    'setting alias.x = "!c"',
    "setting tar.command = d",
    "setting diff.external = e",
  ]);
});

test("says so of a configuration that is too large to be read", async () => {
  file("config", `${"#\n".repeat(600_000)}[core]\nfsmonitor = evil\n`);
  expect(await gitCommands(workspace)).toEqual([
    `settings in ${join(workspace, ".git", "config")}, which cannot be read`,
  ]);
});

test("names nothing where there is no repository", async () => {
  expect(await gitCommands(folder.path)).toEqual([]);
});
