import { expect, test } from "vitest";
import { promptedRun } from "../../testing/prompted-run.ts";
import { temporaryWorkspaces, type Workspace } from "../../testing/workspace.ts";
import { tools } from "../../tools/index.ts";
import { builtinEngine } from "./index.ts";

const newWorkspace = temporaryWorkspaces();
const answer = async (workspace: Workspace, prompt: string) =>
  (await promptedRun(builtinEngine(), tools, workspace, prompt)).result.text;

const shop = () =>
  newWorkspace().files({
    "README.md": "# shop\n\nA list of things to buy.\n",
    Makefile: "OUT := dist\nclean:\n\trm -rf dist\n",
    "package.json": JSON.stringify({
      name: "shop",
      version: "0.3.1",
      description: "A small API",
      scripts: { test: "node --test", dev: "node src/server.ts" },
      dependencies: { "left-pad": "^1.3.0" },
    }),
  });

test("what a project is about is told in its own words", async () => {
  expect(await answer(shop(), "what is this project about?")).toBe(
    [
      "`shop` 0.3.1: A small API",
      "From `README.md`:",
      "> # shop\n>\n> A list of things to buy.",
      "At its top: `Makefile`, `README.md`, `package.json`.",
      "More: `which scripts are there?`, `tree`, `show README.md`.",
    ].join("\n\n"),
  );
});

test("what can be run is listed with what it runs, from package.json and Makefile", async () => {
  expect(await answer(shop(), "how do I run the tests?")).toBe(
    [
      "3 commands of the project's own:",
      "- `npm test` runs `node --test`\n- `npm run dev` runs `node src/server.ts`\n- `make clean`",
      "Say `run` and one of them, or `run the tests`.",
    ].join("\n\n"),
  );
});

test("dependencies and the version are read where they are written down", async () => {
  expect(await answer(shop(), "what dependencies does it have?")).toBe(
    "It has 1 dependency.\n\n**Needed to run**\n- `left-pad` ^1.3.0",
  );
  expect(await answer(shop(), "which version is this?")).toBe("shop is at version 0.3.1.");
});

test("a project that says nothing of itself gets nothing invented", async () => {
  const bare = () => newWorkspace().files({ "go.mod": "module x\n" });
  expect(await answer(bare(), "what is this project about?")).toBe(
    "This project says no more of itself than its files do.\n\nAt its top: `go.mod`.\n\nMore: `which scripts are there?`, `tree`.",
  );
  expect(await answer(bare(), "what scripts are there?")).toBe(
    "No package.json or Makefile here says what can be run.",
  );
  expect(await answer(bare(), "list dependencies")).toBe("They are in `go.mod`: say `show go.mod`.");
  expect(await answer(bare(), "which version is this?")).toBe(
    "No package.json here says a version. Maybe `go.mod` does: say `show go.mod`.",
  );
});

test("a package.json that is no such file is no reason to fail", async () => {
  const workspace = newWorkspace().files({ "package.json": "[1,2" });
  expect(await answer(workspace, "which version is this?")).toBe("No package.json here says a version.");
});
