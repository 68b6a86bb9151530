import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { parseCommandLine } from "./command-line.ts";

const folder = temporaryFolder();
const RUNS = Number(process.env.DRAGOMAN_LINES ?? 150);

/** Commands that write down how they were called; the second one fails. */
const programs = ["aa", "bb", "cc"];
/** Is only called with what another command puts out. */
const dynamic = "dd";

const fragments = [
  ...programs,
  ..."'\"\\$`(){};&|<>\n #!*?[]=~^,.:-".split(""),
  ...`$( ) $(( )) \${ } <( >( && || |& ;; <<E <<'E' \nE\n $' $" [[ ]] (( )) if then else fi case in esac`.split(" "),
  ..."function x() { } ! time 2>&1 >/dev/null >f {a,b} \\\n # x=1 -f a 'b c' \"d e\" f\\ g '' \"\" ;\n coproc".split(
    " ",
  ),
  " ",
  " ",
];
const soup = fc.array(fc.constantFrom(...fragments), { maxLength: 14 }).map((parts) => parts.join(""));
const spaced = fc.array(fc.constantFrom(...fragments), { maxLength: 10 }).map((parts) => parts.join(" "));

beforeAll(() => {
  const bin = join(folder.path, "bin");
  mkdirSync(bin);
  for (const name of [...programs, dynamic]) {
    const end = name === "bb" ? "exit 1" : "exit 0";
    const script = `#!/bin/sh\n{ printf '%s' ${name}; for a in "$@"; do printf '\\036%s' "$a"; done; printf '\\037'; } > "$LOG/$$"\n${end}\n`;
    writeFileSync(join(bin, name), script);
    chmodSync(join(bin, name), 0o755);
  }
});

let runs = 0;

/** What bash really calls for a line, each with its arguments. */
function callsOf(line: string): string[][] {
  const at = join(folder.path, `run-${runs++}`);
  const log = join(at, "log");
  mkdirSync(log, { recursive: true });
  const work = join(at, "work");
  mkdirSync(work);
  spawnSync("/bin/bash", ["-c", line], {
    cwd: work,
    env: { PATH: join(folder.path, "bin"), LOG: log },
    stdio: "ignore",
    timeout: 5000,
    killSignal: "SIGKILL",
  });
  const written = existsSync(log)
    ? spawnSync("/bin/sh", ["-c", 'cat "$1"/* 2>/dev/null', "sh", log]).stdout.toString()
    : "";
  return written
    .split("\u001f")
    .slice(0, -1)
    .map((call) => call.split("\u001e"));
}

test("never throws and is soon done, whatever it is given", () => {
  const hostile = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ maxLength: 200 }), soup, spaced);
  fc.assert(
    fc.property(hostile, (line) => {
      const { text, segments } = parseCommandLine(line);
      expect(text).toBe(line);
      expect(segments.every(({ words }) => words.length > 0)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test("is soon done with a long line of the same over and over", () => {
  const lines = fragments.flatMap((part) => [part, `${part} `, `aa ${part}`, `(${part}`, `"$(${part}`]);
  const slow = lines.filter((part) => {
    const started = performance.now();
    parseCommandLine(part.repeat(16_384).slice(0, 16_384));
    return performance.now() - started > 1000;
  });
  expect(slow).toEqual([]);
});

test("a line that can be allowed by its words runs these words and nothing else", () => {
  let looked = 0;
  fc.assert(
    fc.property(fc.oneof(soup, spaced), (line) => {
      const { segments, problem } = parseCommandLine(line);
      fc.pre(!problem && segments.length > 0 && segments.every(({ opaque }) => !opaque));
      looked += 1;
      const words = segments.map((segment) => segment.words);
      for (const call of callsOf(line)) expect(words).toContainEqual(call);
    }),
    { numRuns: RUNS, maxSkipsPerRun: 1000 },
  );
  expect(looked).toBeGreaterThanOrEqual(RUNS);
});

const literal = fc.constantFrom(
  "x",
  "'y z'",
  '"it\'s"',
  "p\\ q",
  "''",
  "$'n'",
  "a=b",
  "if",
  "{",
  "}",
  "#no",
  "a#b",
  "\\#",
  "\\;",
  '"$"',
  "\\\n",
  "-f",
  "{}",
  "HEAD~1",
  "\\*",
  "'*'",
  "]",
);
const simple = fc
  .tuple(fc.constantFrom(...programs, "\\aa", "a''a", '"bb"', "b\\\nb"), fc.array(literal, { maxLength: 3 }))
  .map(([name, words]) => [name, ...words.filter((word) => word !== "#no")].join(" "));
const { line: structured } = fc.letrec<{ line: string }>((tie) => ({
  line: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    simple,
    fc
      .tuple(tie("line"), fc.constantFrom(" ; ", " && ", " || ", " | ", " |& ", "\n", " & "), tie("line"))
      .map((parts) => parts.join("")),
    tie("line").map((line) => `( ${line}\n)`),
    tie("line").map((line) => `{ ${line}\n}`),
    tie("line").map((line) => `! { ${line}\n}`),
    tie("line").map((line) => `dd "$(${line}\n)"`),
    tie("line").map((line) => `dd <(${line}\n)`),
    tie("line").map((line) => `x=\${y:-$(${line}\n)}`),
    tie("line").map((line) => `case x in (x) ${line}\n;; esac`),
    tie("line").map((line) => `for i in 1 2; do ${line}\ndone`),
    tie("line").map((line) => `f() { ${line}\n}; f`),
    tie("line").map((line) => `dd <<E\n$(${line}\n)\nE\n`),
    fc.tuple(tie("line"), tie("line")).map(([first, second]) => `if ${first}\nthen ${second}\nelse ${second}\nfi`),
  ),
}));

test("every command that bash runs of a line is among its segments, however they are put together", () => {
  fc.assert(
    fc.property(structured, (line) => {
      const { segments, problem } = parseCommandLine(line);
      if (problem) return;
      const words = segments.map((segment) => segment.words);
      const names = words.map(([name]) => name);
      for (const call of callsOf(line)) {
        if (call[0] === dynamic) expect(names).toContain(dynamic);
        else expect(words).toContainEqual(call);
      }
    }),
    { numRuns: RUNS },
  );
});

test("the commands that bash runs are really seen by these tests", () => {
  expect(callsOf("aa 'b c' && bb || cc $(aa)").sort()).toEqual([["aa"], ["aa", "b c"], ["bb"], ["cc"]]);
  expect(readFileSync(join(folder.path, "bin", "aa"), "utf8")).toContain("printf");
});
