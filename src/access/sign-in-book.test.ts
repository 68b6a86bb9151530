import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import type { Grant } from "./grant.ts";
import { SignIns } from "./sign-ins.ts";
import { TokenBook } from "./token-book.ts";

const DAY = 24 * 60 * 60 * 1000;

const folder = temporaryFolder();
let [home, file] = ["", ""];
let clock = new ManualClock();
const open: { close(): unknown }[] = [];

/** What a process has: its own look at the tokens and at the sign-ins of the folder. */
interface Process {
  tokens: TokenBook;
  signIns: SignIns;
  problems: string[];
  shown: string[];
}

async function newProcess(): Promise<Process> {
  const { book: tokens } = await TokenBook.open(home, clock);
  const [problems, shown]: [string[], string[]] = [[], []];
  const signIns = new SignIns({
    clock,
    keptIn: { home, tokens },
    onProblem: ({ message }) => problems.push(message),
    onShown: (signIn) => shown.push(signIn),
  });
  open.push(signIns, tokens);
  return { tokens, signIns, problems, shown };
}

async function grantOf({ tokens }: Process, name: string): Promise<Grant> {
  const { token } = await tokens.create({ name, roles: ["prompt"] });
  return tokens.verify(token) as Grant;
}

beforeEach(() => {
  home = folder.newPath();
  file = join(home, "sign-ins.json");
  clock = new ManualClock();
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

describe("a sign-in that is kept", () => {
  test("is in a file for the user alone, as nothing that lets anyone in", async () => {
    const one = await newProcess();
    const ada = await grantOf(one, "ada");
    const texts = [one.signIns.begin(ada), one.signIns.beginProgram(ada)];
    expect(await one.signIns.saved()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, "utf8");
    expect(JSON.parse(text)).toEqual({
      signIns: ["page", "program"].map((kind) => ({
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        kind,
        tokenId: ada.caller.id,
        tokenSha256: one.tokens.known(ada.caller.id)?.sha256,
        expiresAt: new Date(clock.now() + DAY).toISOString(),
      })),
    });
    expect(texts).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^sess_[\w-]{43}$/)]);
    for (const secret of texts) expect(text).not.toContain(secret.slice(5, 20));
  });

  test("is good in the next process, each as what it is", async () => {
    const one = await newProcess();
    const ada = await grantOf(one, "ada");
    const [page, program] = [one.signIns.begin(ada), one.signIns.beginProgram(ada)];
    await one.signIns.saved();
    const { signIns } = await newProcess();
    const [byPage, byProgram] = [signIns.grantOf(page), signIns.programGrantOf(program)];
    expect([byPage?.caller, byProgram?.caller]).toEqual([ada.caller, ada.caller]);
    expect([signIns.programGrantOf(page), signIns.grantOf(program)]).toEqual([undefined, undefined]);
    expect(signIns.grantOf(page)).toBe(byPage);
    expect(byPage?.signIn).not.toBe(byProgram?.signIn);
    for (const { signIn = "" } of [byPage, byProgram] as Grant[]) {
      expect([signIns.grantOf(signIn), signIns.programGrantOf(signIn)]).toEqual([undefined, undefined]);
    }
  });

  test("is good in another process at once, and ends there within a second when it is ended here", async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const ada = await grantOf(one, "ada");
    const [ending, staying] = [one.signIns.beginProgram(ada), one.signIns.beginProgram(ada)];
    await one.signIns.saved();
    const [endingThere, stayingThere] = [ending, staying].map((text) => other.signIns.programGrantOf(text));
    expect([endingThere?.revoked.aborted, stayingThere?.revoked.aborted]).toEqual([false, false]);
    expect(one.signIns.endOf(one.signIns.programGrantOf(ending))).toBe(true);
    expect(await one.signIns.saved()).toBe(true);
    clock.advance(1000);
    expect(endingThere?.revoked.reason).toMatchObject({ code: "unauthorized", message: /has ended/ });
    expect(stayingThere?.revoked.aborted).toBe(false);
    expect(other.signIns.programGrantOf(ending)).toBeUndefined();
    expect((await newProcess()).signIns.programGrantOf(ending)).toBeUndefined();
  });

  test.each(["rotate", "revoke"] as const)(
    "ends when another process does `token %s`, also after a restart",
    async (change) => {
      const [one, other] = [await newProcess(), await newProcess()];
      const ada = await grantOf(one, "ada");
      const [used, unused] = [one.signIns.beginProgram(ada), one.signIns.begin(ada)];
      await one.signIns.saved();
      const live = one.signIns.programGrantOf(used);
      await other.tokens[change]("ada");
      clock.advance(1000);
      expect(live?.revoked.aborted).toBe(true);
      for (const { signIns } of [one, other, await newProcess()]) {
        expect([signIns.programGrantOf(used), signIns.grantOf(unused)]).toEqual([undefined, undefined]);
      }
    },
  );

  test("is refused with the next look-up already, when its token was rotated elsewhere", async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const program = one.signIns.beginProgram(await grantOf(one, "ada"));
    const live = one.signIns.programGrantOf(program);
    await other.tokens.rotate("ada");
    expect([one.signIns.programGrantOf(program), live?.revoked.aborted]).toEqual([undefined, true]);
  });

  test("cannot be begun any more by whoever has a token that was rotated elsewhere", async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const ada = await grantOf(one, "ada");
    await other.tokens.rotate("ada");
    expect(one.signIns.programGrantOf(one.signIns.beginProgram(ada))).toBeUndefined();
    await one.signIns.saved();
    expect(readdirSync(home)).not.toContain("sign-ins.json");
  });

  test("ends with its day and with its token's time, in a process that began later, too", async () => {
    const one = await newProcess();
    const { token } = await one.tokens.create({
      name: "brief",
      roles: ["observe"],
      expiresAt: new Date(clock.now() + 60_000).toISOString(),
    });
    const brief = one.signIns.beginProgram(one.tokens.verify(token) as Grant);
    const whole = one.signIns.beginProgram(await grantOf(one, "ada"));
    await one.signIns.saved();
    const { signIns } = await newProcess();
    const live = signIns.programGrantOf(brief);
    clock.advance(61_000);
    expect([live?.revoked.aborted, signIns.programGrantOf(brief)]).toEqual([true, undefined]);
    clock.set(clock.now() + DAY);
    const { signIns: last } = await newProcess();
    expect([signIns.programGrantOf(whole), last.programGrantOf(whole)]).toEqual([undefined, undefined]);
  });

  test("is told once in each process, when it is shown, so that it can be masked", async () => {
    const one = await newProcess();
    const program = one.signIns.beginProgram(await grantOf(one, "ada"));
    await one.signIns.saved();
    const other = await newProcess();
    for (const { signIns } of [one, other, other]) {
      signIns.programGrantOf(program);
      signIns.programGrantOf("sess_no");
    }
    expect([one.shown, other.shown]).toEqual([[program], [program]]);
  });
});

describe("what several processes do at once", () => {
  test("is all kept, and what ended stays so", async () => {
    const processes = await Promise.all(Array.from({ length: 4 }, newProcess));
    const [first] = processes as [Process];
    const { token } = await first.tokens.create({ name: "ada", roles: ["prompt"] });
    const begun = processes.map(({ tokens, signIns }) =>
      Array.from({ length: 10 }, () => signIns.beginProgram(tokens.verify(token) as Grant)),
    );
    for (const [at, { signIns }] of processes.entries()) signIns.endOf(signIns.programGrantOf(begun[at]?.[0] ?? ""));
    await Promise.all(processes.map(({ signIns }) => signIns.saved()));
    const { signIns } = await newProcess();
    for (const texts of begun) {
      const isGood = texts.map((text) => signIns.programGrantOf(text) !== undefined);
      expect(isGood).toEqual([false, ...Array.from({ length: 9 }, () => true)]);
    }
  });

  test("leaves a thousand at the most, and the few of one are not pushed out by the many of another", async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const ada = one.signIns.beginProgram(await grantOf(one, "ada"));
    const { token } = await one.tokens.create({ name: "eve", roles: ["prompt"] });
    await one.signIns.saved();
    const begin = ({ tokens, signIns }: Process) =>
      Array.from({ length: 700 }, () => {
        clock.set(clock.now() + 1);
        return signIns.begin(tokens.verify(token) as Grant);
      });
    const [older, newer] = [begin(one), begin(other)];
    await Promise.all([one.signIns.saved(), other.signIns.saved()]);
    const { signIns } = await newProcess();
    const isGood = (text: string) => signIns.grantOf(text) !== undefined;
    expect(signIns.programGrantOf(ada)).toBeDefined();
    expect([older.filter(isGood).length, newer.filter(isGood).length]).toEqual([299, 700]);
    expect(older.slice(-299).every(isGood)).toBe(true);
    expect(one.signIns.grantOf(older[0] ?? "")).toBeUndefined();
  });
});

describe("a file that", () => {
  test.each<[string, () => void, string]>([
    ["is cut off", () => writeFileSync(file, readFileSync(file, "utf8").slice(0, 100)), "is not a list of sign-ins"],
    ["is of something else", () => writeFileSync(file, "[1]"), "is not a list of sign-ins"],
    ["others can read", () => chmodSync(file, 0o644), "can be read by other users"],
    ["is far too large", () => writeFileSync(file, " ".repeat(1_000_001)), "is larger than 1000000 bytes"],
  ])("%s is told once and taken for empty, and the next sign-in writes it anew", async (_, damage, told) => {
    const one = await newProcess();
    const ada = await grantOf(one, "ada");
    const before = one.signIns.beginProgram(ada);
    await one.signIns.saved();
    const live = one.signIns.programGrantOf(before);
    damage();
    clock.advance(3000);
    expect([one.signIns.programGrantOf(before), live?.revoked.aborted]).toEqual([undefined, true]);
    expect(one.problems).toEqual([expect.stringContaining(told)]);
    const after = one.signIns.beginProgram(ada);
    expect(await one.signIns.saved()).toBe(true);
    const { signIns, problems } = await newProcess();
    expect([signIns.programGrantOf(before), signIns.programGrantOf(after)?.caller]).toEqual([undefined, ada.caller]);
    expect([statSync(file).mode & 0o777, problems]).toEqual([0o600, []]);
  });

  test("was damaged before the start is told as well", async () => {
    await newProcess();
    writeFileSync(file, "{", { mode: 0o600 });
    expect((await newProcess()).problems).toEqual([expect.stringContaining("is not a list of sign-ins")]);
  });

  test("is taken away signs everyone out", async () => {
    const one = await newProcess();
    const program = one.signIns.beginProgram(await grantOf(one, "ada"));
    await one.signIns.saved();
    rmSync(file);
    expect(one.signIns.programGrantOf(program)).toBeUndefined();
    expect(one.problems).toEqual([]);
  });

  test("cannot be written is told once; the sign-in holds here, and is kept as soon as that is possible", async () => {
    const one = await newProcess();
    const ada = await grantOf(one, "ada");
    writeFileSync(
      join(home, "sign-ins-lock.db"),
      "this is no lock of ours, and long enough to be looked at as a database",
    );
    const program = one.signIns.beginProgram(ada);
    expect(await one.signIns.saved()).toBe(false);
    clock.advance(1000);
    expect(await one.signIns.saved()).toBe(false);
    expect(one.signIns.programGrantOf(program)?.caller).toEqual(ada.caller);
    expect(one.problems).toEqual([expect.stringContaining("sign-ins-lock.db cannot be had")]);
    rmSync(join(home, "sign-ins-lock.db"));
    clock.advance(1000);
    expect(await one.signIns.saved()).toBe(true);
    expect((await newProcess()).signIns.programGrantOf(program)?.caller).toEqual(ada.caller);
  });
});

test("tokens that cannot be read let no sign-in through, and let it through again when they are mended", async () => {
  const one = await newProcess();
  const program = one.signIns.beginProgram(await grantOf(one, "ada"));
  await one.signIns.saved();
  const live = one.signIns.programGrantOf(program);
  const tokens = join(home, "tokens.json");
  const whole = readFileSync(tokens, "utf8");
  writeFileSync(tokens, "{");
  expect([one.signIns.programGrantOf(program), live?.revoked.aborted]).toEqual([undefined, true]);
  writeFileSync(tokens, whole);
  expect(one.signIns.programGrantOf(program)).toMatchObject({ caller: { name: "ada" }, revoked: { aborted: false } });
});
