import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { OperationsClient } from "../clients/operations/client.ts";
import type { OperationMessage } from "../clients/operations/protocol.ts";
import { until } from "../testing/scripted.ts";
import { type Place, type ServeProcess, serveProcesses } from "../testing/serve-process.ts";

// The built server is killed in the middle of an operation and started anew; the client finds its way back by itself.

const FEATURE = "001-albums";
const SPEC = `# Feature Specification: Albums

## User Scenarios & Testing

### User Story 1 - Create an album (Priority: P1)

A member creates an album.

**Acceptance Scenarios**:

1. **Given** a member, **When** they create the album "Trip", **Then** the list shows it first.

### Edge Cases

- The title is empty: the form says so, and nothing is created.

## Requirements

- **FR-001**: System MUST authenticate members via [NEEDS CLARIFICATION: email/password or single sign-on?]
- **FR-002**: System MUST keep deleted albums for [NEEDS CLARIFICATION: 7 days or 30 days?]

## Success Criteria

- **SC-001**: 95% of albums of 100 photos are shown within 2 seconds.
`;

const { place, launch } = serveProcesses();
const clients: OperationsClient[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

const git = (at: Place, ...args: string[]) => {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  return execFileSync("git", [...identity, ...args], { cwd: at.workspace, encoding: "utf8" }).trim();
};

/** A repository whose feature's branch is checked out. */
function featurePlace(): Place {
  const at = place();
  const folder = join(at.workspace, "specs", FEATURE);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "spec.md"), SPEC);
  git(at, "add", ".");
  git(at, "commit", "-qm", "A spec");
  git(at, "checkout", "-qb", FEATURE);
  return at;
}

class Watching {
  readonly messages: OperationMessage[] = [];
  readonly states: string[] = [];
  readonly operationId: string;
  readonly #stream;

  constructor(client: OperationsClient, operationId: string) {
    this.operationId = operationId;
    this.#stream = client.watch(operationId, { reconnect: { baseMs: 50, maxMs: 500 } });
    this.#stream.on("message", (message) => this.messages.push(message));
    this.#stream.on("state", ({ state }) => this.states.push(state));
  }

  get questions(): OperationMessage[] {
    return this.messages.filter(({ metadata }) => metadata?.ask_kind !== undefined);
  }

  async answer(question: OperationMessage | undefined, answer: string): Promise<void> {
    await this.#stream.answer(question?.metadata?.ask_id ?? "", answer);
  }

  /** Resolves with how it ended: by itself, or not. */
  get ended(): Promise<unknown> {
    return this.#stream.ended;
  }

  said(type: OperationMessage["type"]): string[] {
    return this.messages.filter((message) => message.type === type).map(({ content }) => content);
  }
}

async function begin(server: ServeProcess, action: "clarify" | "plan"): Promise<Watching> {
  const client = new OperationsClient({ url: server.url, token: server.token });
  clients.push(client);
  const { operation_id } = await client.start(FEATURE, action);
  return new Watching(client, operation_id);
}

async function killed(server: ServeProcess): Promise<void> {
  server.child.kill("SIGKILL");
  await server.exit;
}

const again = (at: Place, { port }: ServeProcess) => launch(at, ["--port", String(port)]).ready();

/** What it has from the log of the server, whole: no number twice, none left out. */
const expectGapless = ({ messages }: Watching) =>
  expect(messages.map(({ sequence }) => sequence)).toEqual(messages.map((_, index) => index));

describe("a server that is told to stop", () => {
  test("and started anew keeps the questions that are open and the answers that it had, and does not wait for them", async () => {
    const at = featurePlace();
    const first = await launch(at).ready();
    const watching = await begin(first, "clarify");
    await until(() => watching.questions.length === 2, "both questions");
    const [auth, retention] = watching.questions;
    await watching.answer(auth, "single sign-on");
    const begun = performance.now();
    first.child.kill("SIGTERM");
    expect(await first.exit).toBe(0);
    expect(performance.now() - begun).toBeLessThan(8000); // a run that works is given 10 s
    await again(at, first);
    await until(() => watching.states.at(-1) === "open", "the server");
    await watching.answer(retention, "30 days");
    expect(await watching.ended).toBeUndefined();
    expectGapless(watching);
    expect(git(at, "show", `${FEATURE}:specs/${FEATURE}/spec.md`)).not.toContain("NEEDS CLARIFICATION");
  });
});

describe("a server that is killed in the middle of an operation", () => {
  test("and started anew goes on with one that waited for answers, with those that it had", async () => {
    const at = featurePlace();
    const first = await launch(at).ready();
    const watching = await begin(first, "clarify");
    await until(() => watching.questions.length === 2, "both questions");
    const [auth, retention] = watching.questions;
    await watching.answer(retention, "30 days");
    await until(() => watching.said("execution").some((text) => /^Q\d answered/.test(text)), "the first answer");
    await killed(first);
    await until(() => watching.states.at(-1) === "reconnecting", "the loss of the server");
    await again(at, first);
    await until(() => watching.states.at(-1) === "open", "the server");
    await watching.answer(auth, "single sign-on");
    expect(await watching.ended).toBeUndefined();
    expectGapless(watching);
    expect(watching.questions).toHaveLength(2);
    expect(watching.said("error").filter((text) => !text.includes("is marked as open"))).toEqual([]);
    expect(watching.said("complete")).toEqual([expect.stringMatching(/complete/)]);
    const spec = git(at, "show", `${FEATURE}:specs/${FEATURE}/spec.md`);
    expect(spec).not.toContain("NEEDS CLARIFICATION");
    expect(spec).toMatch(/FR-001.*single sign-on/);
    expect(spec).toMatch(/FR-002.*30 days/);
    expect(readFileSync(join(at.workspace, "specs", FEATURE, "spec.md"), "utf8").trim()).toBe(spec);
    expect(git(at, "log", "--oneline", FEATURE).split("\n")).toHaveLength(2);
    expect(git(at, "status", "--short")).toBe("");
  });

  test("and started anew ends one that was at work with an error and complete, which does not claim too much", async () => {
    const at = featurePlace();
    const lock = join(at.workspace, ".git", "index.lock");
    writeFileSync(lock, ""); // another git is at it, so that to save has to wait
    const first = await launch(at).ready();
    const watching = await begin(first, "plan");
    const calls = () => new Set(watching.messages.flatMap(({ metadata }) => metadata?.subsection ?? []));
    await until(() => calls().size === 2, "the saving, after the reading");
    const head = git(at, "rev-parse", FEATURE);
    await killed(first);
    await again(at, first);
    expect(await watching.ended).toBeUndefined();
    expectGapless(watching);
    expect(watching.messages.slice(-2).map(({ type, content }) => [type, content])).toEqual([
      ["error", "The process that ran this was lost before the end. Start it again."],
      ["complete", "Operation failed. Something was being changed at that moment. Look whether it is there."],
    ]);
    expect(git(at, "rev-parse", FEATURE)).toBe(head);
  });

  test("and started anew takes the next operation on the feature, though nobody watches what was lost", async () => {
    const at = featurePlace();
    const lock = join(at.workspace, ".git", "index.lock");
    writeFileSync(lock, "");
    const first = await launch(at).ready();
    const watching = await begin(first, "plan");
    await until(() => watching.messages.some(({ metadata }) => metadata?.subsection !== undefined), "its work");
    for (const client of clients.splice(0)) client.close();
    await killed(first);
    rmSync(lock);
    const second = await again(at, first);
    const next = await begin(second, "plan");
    expect(await next.ended).toBeUndefined();
    expect(next.said("complete")).toEqual([expect.stringMatching(/^Planning complete/)]);
    const lost = await second.fetch(`/api/v1/operations/${watching.operationId}`);
    expect(await lost.json()).toMatchObject({ status: "failed" });
  });
});
