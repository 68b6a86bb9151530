import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { startStubModel } from "../../stub-model/index.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const children: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** The command alone, without what else there is of Dragoman. */
function launch(...args: string[]): ChildProcessWithoutNullStreams {
  const program = `
    import { Command } from "commander";
    const { addStubModel } = await import(${JSON.stringify(new URL("./stub-model.ts", import.meta.url).href)});
    const program = new Command("dragoman");
    addStubModel(program);
    await program.parseAsync(${JSON.stringify(["stub-model", ...args])}, { from: "user" }).catch((error) => {
      process.stderr.write(error.message);
      process.exitCode = 1;
    });`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], { cwd: root });
  children.push(child);
  return child;
}

/** What it printed, to the line that is its last. */
async function welcomeOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  let printed = "";
  for await (const piece of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    printed += piece;
    if (printed.endsWith("Ctrl-c ends it.\n")) break;
  }
  return printed;
}

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("says where it is and how an agent gets there, and serves until %s", async (signal, code) => {
  const child = launch("--port", "0");
  const printed = await welcomeOf(child);
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
  expect(printed).toContain(
    `DRAGOMAN_COPILOT_BASE_URL=${url}/v1 DRAGOMAN_COPILOT_MODEL=stub-model dragoman run --engine copilot`,
  );
  const body = '{"messages":[{"role":"user","content":"[[say Good morning]]"}]}';
  const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", body });
  expect(await answer.json()).toMatchObject({ choices: [{ message: { content: "Good morning" } }] });
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([code, null]);
});

test("says what to do where its port is taken", async () => {
  const taken = await startStubModel();
  const child = launch("--port", `${taken.port}`);
  expect(await text(child.stderr)).toBe(
    `Port ${taken.port} is taken, perhaps by a stub model that runs already. Give another --port, or 0 for any free one.`,
  );
  await taken.close();
});
