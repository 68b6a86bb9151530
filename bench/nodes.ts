import type { ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { bundle } from "../scripts/build.mjs";
import { bundledFor, endChildren, folder, project, startChild } from "./children.ts";
import { percentile } from "./measure.ts";
import type { Rhythm } from "./nodes-children/rhythm.ts";
import { type Figure, report } from "./report.ts";

// Two processes on one log, against two processes of which one commits a row and tells the other through a pipe, in turns in one run.
//
//   seen      from the moment an engine says something in one process to the moment it is in the hands of a client of the other:
//             sparse, when there is nothing else that would wake anyone, and dense. The first of a run, which is among them, comes
//             later, since who watches a session in which nothing happens looks less often.
//   answered  from the answer in one process to an ask of the other until it is acknowledged.
//   prompted  the same for a prompt, to an owner that has nothing to do.

const ROUNDS = 3;
const SPARSE: Rhythm = { count: 80, leastMs: 50, mostMs: 200 };
const DENSE: Rhythm = { count: 1000, leastMs: 1, mostMs: 3 };
const ASKS: Rhythm = { count: 60, leastMs: 20, mostMs: 100 };
const FIRSTS = 20;
const REST_MS = 600;
const MOST_MS = 20;

const bundled = bundledFor("nodes");

/** A process that answers each line with a line, in turn. */
class Child {
  readonly process: ChildProcess;
  readonly #waiting: ((line: string) => void)[] = [];
  readonly #lines: string[] = [];

  constructor(name: string, args: string[] = [], stdin: "pipe" | NonNullable<ChildProcess["stdout"]> = "pipe") {
    const file = join(bundled, `${name}.js`);
    this.process = startChild([file, ...args], { stdio: [stdin, "pipe", "inherit"], cwd: folder });
  }

  listen(): this {
    if (!this.process.stdout) throw new Error("no stdout");
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      const next = this.#waiting.shift();
      if (next) next(line);
      else this.#lines.push(line);
    });
    return this;
  }

  tell(command: unknown): void {
    this.process.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  async hear<T>(): Promise<T> {
    const line = this.#lines.shift() ?? (await new Promise<string>((resolve) => this.#waiting.push(resolve)));
    return JSON.parse(line);
  }

  async call<T>(command: unknown): Promise<T> {
    this.tell(command);
    return (await this.hear<{ result: T }>()).result;
  }
}

function bareSide(): (rhythm: Rhythm) => Promise<number[]> {
  const teller = new Child("bare", [join(folder, "bare.db")]);
  if (!teller.process.stdout) throw new Error("no stdout");
  const hearer = new Child("bare", [], teller.process.stdout).listen();
  return async (rhythm) => {
    teller.tell(rhythm);
    return (await hearer.hear<{ result: number[] }>()).result;
  };
}

interface Sides {
  sessionId: string;
  owner: Child;
  other: Child;
}

async function ourSide(): Promise<Sides> {
  const path = join(folder, "log.db");
  const owner = new Child("node", [path]).listen();
  const sessionId = await owner.call<string>({ do: "create" });
  return { sessionId, owner, other: new Child("node", [path]).listen() };
}

/** What the other process makes of a run that says something, or asks. */
async function between<T>({ sessionId, owner, other }: Sides, watch: string, run: string, rhythm: Rhythm): Promise<T> {
  other.tell({ do: watch, sessionId });
  await other.hear(); // it follows
  await owner.call({ do: run, sessionId, rhythm });
  return (await other.hear<{ result: T }>()).result;
}

class Lags {
  readonly #ours: number[] = [];
  readonly #bare: number[] = [];

  add(ours: number[], bare: number[]): void {
    this.#ours.push(...ours);
    this.#bare.push(...bare);
  }

  figures(name: string): Figure[] {
    return [50, 95, 99].map((p) => ({
      name: `${name}, p${p}`,
      unit: "ms",
      ours: percentile(this.#ours, p),
      bare: percentile(this.#bare, p),
      ...(p === 95 && { most: MOST_MS }),
    }));
  }
}

async function main(): Promise<boolean> {
  mkdirSync(bundled, { recursive: true });
  const children = `${project}bench/nodes-children/`;
  await bundle({ node: `${children}node.ts`, bare: `${children}bare.ts` }, bundled);
  const sides = await ourSide();
  const bare = bareSide();
  const [sparse, dense, answered] = [new Lags(), new Lags(), new Lags()];
  const seen = (rhythm: Rhythm) => between<number[]>(sides, "watch", "say", rhythm);
  const first: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    sparse.add(await seen(SPARSE), await bare(SPARSE));
    dense.add(await seen(DENSE), await bare(DENSE));
    answered.add(await between(sides, "answer", "ask", ASKS), await bare(ASKS));
  }
  for (let n = 0; n < FIRSTS; n++) {
    await pause(REST_MS); // so that nobody looks often any more
    first.push(...(await seen({ count: 1, leastMs: 0, mostMs: 0 })));
  }
  const prompted: number[] = [];
  for (let n = 0; n < FIRSTS; n++) prompted.push(await sides.other.call({ do: "prompt", sessionId: sides.sessionId }));
  return report([
    ...sparse.figures("seen, sparse"),
    ...dense.figures("seen, dense"),
    ...answered.figures("answered"),
    { name: "first seen of a run, p50", unit: "ms", ours: percentile(first, 50) },
    { name: "prompted, p50", unit: "ms", ours: percentile(prompted, 50) },
  ]);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  endChildren();
}
