import headless from "@xterm/headless";
import { describe, expect, test } from "vitest";
import { colours, noColours } from "./paint.ts";
import { fitPainted, type Output, Screen } from "./screen.ts";

/** A terminal that shows what was written to it. */
class FakeTerminal {
  readonly writes: string[] = [];
  readonly #xterm: InstanceType<typeof headless.Terminal>;
  isTTY = true;

  constructor(
    public columns = 40,
    public rows = 8,
  ) {
    this.#xterm = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  }

  get output(): Output {
    return this as unknown as Output;
  }

  write(text: string): boolean {
    this.writes.push(text);
    this.#xterm.write(text);
    return true;
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.#xterm.resize(columns, rows);
  }

  async lines(): Promise<string[]> {
    await new Promise<void>((resolve) => this.#xterm.write("", resolve));
    const { active } = this.#xterm.buffer;
    const all = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "");
    return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
  }
}

const paint = noColours;

describe("a live screen", () => {
  test("keeps what was said above what is under way, in one write for all of it", async () => {
    const terminal = new FakeTerminal();
    const screen = new Screen(terminal.output, { live: true, paint });
    screen.add(["one"]);
    screen.show({ lines: ["working", "status"] });
    screen.flush();
    screen.add(["two", "three"]);
    screen.show({ lines: ["working still", "and more", "status"] });
    screen.flush();
    expect(terminal.writes).toHaveLength(2);
    expect(await terminal.lines()).toEqual(["one", "two", "three", "working still", "and more", "status"]);
    screen.close();
    expect(await terminal.lines()).toEqual(["one", "two", "three"]);
  });

  test("writes nothing when nothing changed, and only the line that did", async () => {
    const terminal = new FakeTerminal();
    const screen = new Screen(terminal.output, { live: true, paint });
    screen.show({ lines: ["spin /", "output", "status"] });
    screen.flush();
    screen.show({ lines: ["spin /", "output", "status"] });
    screen.flush();
    expect(terminal.writes).toHaveLength(1);
    screen.show({ lines: ["spin -", "output", "status"] });
    screen.flush();
    expect(terminal.writes[1]).not.toContain("output");
    expect(await terminal.lines()).toEqual(["spin -", "output", "status"]);
  });

  test("is never higher than the terminal, nor wider", async () => {
    const terminal = new FakeTerminal(30, 5);
    const screen = new Screen(terminal.output, { live: true, paint });
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i} ${"漢字".repeat(20)}`);
    for (let round = 0; round < 3; round++) {
      screen.add([`said ${round}`]);
      screen.show({ lines: [...lines, "status"] });
      screen.flush();
    }
    const shown = await terminal.lines();
    expect(shown.filter((line) => line.startsWith("said"))).toEqual(["said 0", "said 1", "said 2"]);
    expect(shown.filter((line) => line === "status")).toHaveLength(1);
    expect(shown.filter((line) => line.startsWith("line"))).toHaveLength(3);
  });

  test("keeps all that was said when the terminal is resized, and draws the rest anew", async () => {
    const terminal = new FakeTerminal(60, 10);
    const screen = new Screen(terminal.output, { live: true, paint });
    screen.add(["a line that is quite long, but not too long", "short"]);
    screen.show({ lines: ["working", "status"] });
    screen.flush();
    for (const columns of [40, 24, 50, 80]) {
      terminal.resize(columns, 10);
      screen.resized();
      screen.flush();
    }
    expect(await terminal.lines()).toEqual([
      "a line that is quite long, but not too long",
      "short",
      "working",
      "status",
    ]);
  });

  test("says nothing after its end", () => {
    const terminal = new FakeTerminal();
    const screen = new Screen(terminal.output, { live: true, paint });
    screen.close();
    screen.add(["late"]);
    screen.show({ lines: ["later"] });
    screen.flush();
    expect(terminal.writes.join("")).toBe("");
  });
});

test("without a terminal there are lines and nothing else", () => {
  const terminal = new FakeTerminal();
  terminal.isTTY = false;
  const screen = new Screen(terminal.output, { live: false, paint });
  screen.add(["one"]);
  screen.show({ lines: ["status"] });
  screen.add(["two"]);
  screen.close();
  expect(terminal.writes).toEqual(["one\ntwo\n"]);
  expect([screen.width, screen.rows]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

test("a painted line is cut by what is seen of it, and its colours end", () => {
  const line = `${colours.bold("running")}${colours.dim(" · context 87% left")}`;
  expect(fitPainted(line, 40)).toBe(line);
  expect(fitPainted(line, 12)).toBe(`${colours.bold("running")}${colours.dim(" · c…")}`);
  expect(fitPainted(line, 4)).toBe(`${colours.bold("run…")}\u001b[2m\u001b[22m`);
});
