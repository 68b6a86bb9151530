import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TokenBook } from "../access/token-book.ts";
import { bundledChild } from "../testing/bundled-child.ts";
import { type Begun, type Door, doorOf, type Face, openAsk, sees } from "../testing/faces/face.ts";
import { startOnLive } from "../testing/faces/live-face.ts";
import { startOnOperations } from "../testing/faces/operations-face.ts";
import { startOnSidecar } from "../testing/faces/sidecar-face.ts";
import { startOnStudio, studioClient } from "../testing/faces/studio-face.ts";
import { startOnUi, uiClient } from "../testing/faces/ui-face.ts";
import { watchOnAll } from "../testing/faces/watchers.ts";
import { ServeProcess } from "../testing/serve-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import type { WireMessage } from "../testing/ui-wire.ts";

// One session on every protocol at once: a real server in a process of its own, and real sockets to it.

const folder = temporaryFolder();
let server: ServeProcess;
let door: Door;
const open: { close(): void }[] = [];

beforeAll(async () => {
  const script = await bundledChild("everywhere-child", folder.path);
  const workspace = join(folder.path, "workspace");
  mkdirSync(workspace);
  server = await new ServeProcess({ home: join(folder.path, "home"), workspace }, [], {}, [script]).ready();
  door = doorOf(server, server.token);
});

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

afterAll(async () => {
  server.child.stdin.end();
  expect(await server.exit).toBe(0);
  expect(server.log).toEqual([]); // nothing that it would warn of
});

async function wireTo(at: Door, path: string) {
  const wire = await at.wire(path);
  open.push(wire);
  return wire;
}

interface Protocol {
  start(door: Door, text: string): Promise<Begun>;
  /** What an answer to a closed ask is told, and one of someone who may not answer. */
  late: unknown;
  forbidden: unknown;
}

const protocols: Record<string, Protocol> = {
  ui: {
    start: async (at, text) => startOnUi(await wireTo(at, "/ui"), text),
    late: [-32000, "ask_closed"],
    forbidden: [-32000, "forbidden"],
  },
  studio: {
    start: async (at, text) => startOnStudio(await wireTo(at, "/studio"), text),
    late: [-32006, "ask_closed"],
    forbidden: [-32007, "forbidden"],
  },
  operations: {
    start: startOnOperations,
    late: ["QUESTION_CLOSED", "answered"],
    forbidden: ["FORBIDDEN", undefined],
  },
  sidecar: {
    start: startOnSidecar,
    late: [-32602, "ask_closed"],
    forbidden: [-32600, "forbidden"],
  },
  live: {
    start: async (at, text) => startOnLive(await wireTo(at, "/live"), text),
    late: ["INVALID_INPUT_FORMAT", "ask_closed"],
    forbidden: ["PERMISSION_DENIED", "forbidden"],
  },
};
const names = Object.keys(protocols);

async function watched(begun: Begun, after?: number, at = door): Promise<Face[]> {
  const faces = await watchOnAll(at, begun, after);
  open.push(...faces);
  return faces;
}

/** The ask that all of them show. */
async function askedOnAll(faces: Face[]): Promise<string> {
  const seen = await Promise.all(faces.map((face) => sees(face, (now) => openAsk(now) !== undefined, "an open ask")));
  const [askId, ...others] = new Set(seen.map(openAsk));
  expect(others).toEqual([]);
  return askId ?? "";
}

const endsOnAll = (faces: Face[]) =>
  Promise.all(faces.map((face) => sees(face, ({ end }) => end !== undefined, "the end")));

/** Not the one itself, and another for each that asks. */
const other = (faces: Face[], index: number, by: number) => faces[(index + by) % faces.length] as Face;

describe.each(names)("a run that was started on %s", (name) => {
  const index = names.indexOf(name);
  const { start } = protocols[name] as Protocol;

  test("is the same on all the others, is approved on one, and is answered once", async () => {
    const begun = await start(door, "hello");
    const faces = await watched(begun);
    const askId = await askedOnAll(faces);
    const answering = other(faces, index, 1);
    await answering.approve(askId);
    const [first, ...rest] = await endsOnAll(faces);
    expect(first).toEqual({
      text: "Looking at the notes. The notes are written.",
      tools: { [Object.keys(first?.tools ?? {})[0] ?? ""]: "done" },
      asks: { [askId]: "closed" },
      end: "completed",
    });
    for (const seen of rest) expect(seen).toEqual(first);
    expect(readFileSync(join(folder.path, "workspace", "notes.txt"), "utf8")).toBe("hello\n");
    const late = await Promise.all(faces.map((face) => face.lateAnswer(askId)));
    expect(late).toEqual(names.map((one) => protocols[one]?.late));
    for (const face of faces) expect(await face.sessions()).toContain(begun.sessionId);
    expect(new Set(faces.map((face) => face.lastSeq())).size).toBe(1);
  });

  test("is gone on with on another, cancelled on a third, and followed from the cursor of any", async () => {
    const begun = await start(door, "hello");
    const before = await watched(begun);
    await other(before, index, 2).approve(await askedOnAll(before));
    await endsOnAll(before);
    const cursor = other(before, index, 3).lastSeq();
    await other(before, index, 1).prompt("wait");
    const runId = await latestRun(begun.sessionId);
    expect(runId).not.toBe(begun.runId);
    const faces = await watched({ ...begun, runId }, cursor);
    await other(faces, index, 2).approve(await askedOnAll(faces));
    await Promise.all(faces.map((face) => sees(face, ({ tools }) => Object.values(tools)[0] === "done", "the tool")));
    await other(faces, index, 4).cancel();
    const [first, ...rest] = await endsOnAll(faces);
    expect(first).toMatchObject({ text: "Looking at the notes.", end: "cancelled" });
    for (const seen of rest) expect(seen).toEqual(first);
  });
});

async function told(sessionId: string): Promise<WireMessage> {
  return (await door.fetch(`/api/v1/sessions/${sessionId}`)).json();
}

async function latestRun(sessionId: string): Promise<string> {
  return (await told(sessionId)).operation_id;
}

test("who may only observe sees everything on every protocol, and is refused everything else in its own words", async () => {
  const { book } = await TokenBook.open(join(folder.path, "home"));
  const { token } = await book.create({ name: "guest", roles: ["observe"] });
  book.close();
  const begun = await startOnSidecar(door, "hello");
  const [owner] = await watched(begun);
  const guests = await watched(begun, 0, doorOf(server, token));
  const { asks } = await sees(owner as Face, (now) => openAsk(now) !== undefined, "an open ask");
  const askId = openAsk({ text: "", tools: {}, asks }) ?? "";
  const refused = await Promise.all(guests.map((face) => face.lateAnswer(askId)));
  expect(refused).toEqual(names.map((one) => protocols[one]?.forbidden));
  for (const face of guests) {
    await expect(face.prompt("hello"), face.dialect).rejects.toThrow(/forbidden|PERMISSION_DENIED/i);
    await expect(face.cancel(), face.dialect).rejects.toThrow(/forbidden|PERMISSION_DENIED/i);
  }
  await owner?.approve(askId);
  for (const seen of await endsOnAll(guests)) {
    expect(seen).toMatchObject({ text: "Looking at the notes. The notes are written.", end: "completed" });
  }
});

test("each session is told with its address on every protocol, and each address leads to it", async () => {
  const begun = await startOnSidecar(door, "hello");
  const faces = await watched(begun);
  const askId = await askedOnAll(faces);
  const { addresses } = await told(begun.sessionId);
  expect(Object.keys(addresses).sort()).toEqual([...names].sort());
  for (const name of ["ui", "studio", "operations", "live"]) {
    const wire = await wireTo(door, `${addresses[name]}&${name === "operations" ? "after_log_seq" : "after"}=0`);
    if (name === "ui") await wire.result("initialize", uiClient);
    if (name === "studio") await wire.result("initialize", studioClient);
    await wire.message((m) => JSON.stringify(m).includes(askId), `the ask at ${addresses[name]}`);
  }
  expect((await door.fetch(addresses.sidecar, { signal: AbortSignal.timeout(10_000) })).status).toBe(200);
  await faces[0]?.approve(askId);
  await endsOnAll(faces);
});
