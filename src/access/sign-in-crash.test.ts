import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { parseSignIns } from "./sign-in-record.ts";
import { SignIns } from "./sign-ins.ts";
import { TokenBook } from "./token-book.ts";

const folder = temporaryFolder();
const root = fileURLToPath(new URL("../../", import.meta.url));

/** Signs in again and again, and says each sign-in when it is kept; every third one it ends again. */
const program = `
  import { TokenBook } from ${JSON.stringify(join(root, "src/access/token-book.ts"))};
  import { SignIns } from ${JSON.stringify(join(root, "src/access/sign-ins.ts"))};
  const home = process.argv[1];
  const { book: tokens, firstToken } = await TokenBook.open(home);
  const signIns = new SignIns({ keptIn: { home, tokens } });
  const grant = tokens.verify(firstToken);
  for (let count = 0; ; count++) {
    const signIn = signIns.beginProgram(grant);
    await signIns.saved();
    if (count % 3 === 2) {
      signIns.endOf(signIns.programGrantOf(signIn));
      await signIns.saved();
    }
    process.stdout.write((count % 3 === 2 ? "ended " : "begun ") + signIn + "\\n");
  }`;

test.each([1, 2, 3])("who is killed while it writes leaves everything that it had said it kept (%i)", async (round) => {
  const home = folder.newPath();
  const args = ["--import", "tsx", "--input-type=module", "-e", program, home];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
    if (said.split("\n").length > 10 * round) child.kill("SIGKILL");
  });
  await once(child, "close");
  const whole = said.slice(0, said.lastIndexOf("\n")).split("\n");
  const file = join(home, "sign-ins.json");
  expect(parseSignIns(file, readFileSync(file, "utf8")).length).toBeGreaterThan(0);
  const { book: tokens } = await TokenBook.open(home);
  const problems: unknown[] = [];
  const signIns = new SignIns({ keptIn: { home, tokens }, onProblem: (problem) => problems.push(problem) });
  const found = whole.map((line) => {
    const [, signIn = ""] = line.split(" ");
    return `${signIns.programGrantOf(signIn) ? "begun" : "ended"} ${signIn}`;
  });
  expect(found).toEqual(whole);
  const grant = tokens.known(tokens.list()[0]?.id ?? "")?.grant;
  const next = grant && signIns.beginProgram(grant);
  expect([await signIns.saved(), signIns.programGrantOf(next ?? "")?.caller.name, problems]).toEqual([
    true,
    "admin",
    [],
  ]);
  await signIns.close();
  tokens.close();
});
