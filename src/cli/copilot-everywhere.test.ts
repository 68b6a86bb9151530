import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type StubModel, startStubModel } from "../stub-model/index.ts";
import { serveCopilot } from "../testing/copilot-serve.ts";
import { type Begun, type Door, doorOf, type Face, openAsk, type Seen, sees } from "../testing/faces/face.ts";
import { startOnStudio } from "../testing/faces/studio-face.ts";
import { watchers } from "../testing/faces/watchers.ts";
import { processesWith } from "../testing/processes-with.ts";
import { until } from "../testing/scripted.ts";
import type { ServeProcess } from "../testing/serve-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

// A run of the real Copilot runtime on every protocol at once.

const folder = temporaryFolder();
let stub: StubModel;
let server: ServeProcess;
let door: Door;
const open: { close(): void }[] = [];

beforeAll(async () => {
  stub = await startStubModel();
  server = await serveCopilot(folder.path, stub);
  door = doorOf(server, server.token);
});

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

afterAll(async () => {
  server.child.stdin.end();
  expect(await server.exit).toBe(0);
  await stub.close();
  expect(server.log).toEqual([]);
});

type Faces = Record<keyof typeof watchers, Face>;

async function watchedOnAll(begun: Begun): Promise<Faces> {
  const names = Object.keys(watchers) as (keyof typeof watchers)[];
  const faces = await Promise.all(names.map((name) => watchers[name](door, begun)));
  open.push(...faces);
  return Object.fromEntries(names.map((name, at) => [name, faces[at]])) as Faces;
}

const allSee = (faces: Faces, fits: (seen: Seen) => boolean, what: string) =>
  Promise.all(Object.values(faces).map((face) => sees(face, fits, what)));

const asked = async (faces: Faces): Promise<string> => {
  const seen = await allSee(faces, (now) => openAsk(now) !== undefined, "an open ask");
  const [askId = "", ...others] = new Set(seen.map(openAsk));
  expect(others).toEqual([]);
  return askId;
};

const ended = (faces: Faces) => allSee(faces, ({ end }) => end !== undefined, "the end");

async function begin(text: string): Promise<{ begun: Begun; faces: Faces }> {
  const wire = await door.wire("/studio");
  open.push(wire);
  const begun = await startOnStudio(wire, text);
  return { begun, faces: await watchedOnAll(begun) };
}

test("a run of Copilot is approved on one protocol and comes to the same end on all five", async () => {
  const script = "Make it so. [[think Where to write it?]] [[run echo hello > made.txt]] [[say It is made.]]";
  const { begun, faces } = await begin(script);
  await faces.sidecar.approve(await asked(faces));
  const [first, ...others] = await ended(faces);
  expect(first).toMatchObject({ text: "It is made.", end: "completed" });
  expect(Object.values(first?.tools ?? {})).toEqual(["done"]);
  for (const seen of others) expect(seen).toEqual(first);
  expect(readFileSync(join(folder.path, "workspace", "made.txt"), "utf8")).toBe("hello\n");
  const told = await (await door.fetch(`/api/v1/sessions/${begun.sessionId}`)).json();
  expect(told).toMatchObject({ engine: "copilot" });
});

test("it is approved on one, cancelled on another while its tool runs, and nothing of the tool is left", async () => {
  const nap = `${randomInt(100_000, 900_000)}.25`;
  const { faces } = await begin(`Wait a little. [[say I wait.]] [[run sleep ${nap}]] [[say Never said.]]`);
  await faces.live.approve(await asked(faces));
  await until(() => processesWith(nap).length > 0, "the tool");
  await faces.operations.cancel();
  const [first, ...others] = await ended(faces);
  expect(first).toMatchObject({ text: "I wait.", end: "cancelled" });
  // `operations` tells nothing of a run any more from when it is to be cancelled, so it never says how the tool ended.
  for (const { text, end, asks } of others) {
    expect({ text, end, asks }).toEqual({ text: "I wait.", end: "cancelled", asks: first?.asks });
  }
  for (const name of ["ui", "studio", "sidecar", "live"] as const) {
    expect(Object.values(faces[name].seen().tools), name).toEqual(["failed"]);
  }
  await until(() => processesWith(nap).length === 0, "the end of the tool");
});

test("it is cancelled on one while all are asked, and the session goes on", async () => {
  const { faces } = await begin("Ask first. [[run echo never > never.txt]]");
  const askId = await asked(faces);
  await faces.ui.cancel();
  for (const seen of await ended(faces)) expect(seen.end).toBe("cancelled");
  for (const name of ["studio", "operations", "sidecar", "live"] as const) {
    expect(faces[name].seen().asks, name).toEqual({ [askId]: "closed" }); // on `ui` it is the run's end that says so
  }
  await faces.sidecar.prompt("Go on. [[say Here I am.]]");
  const { operations: _, ...following } = faces; // a connection of `operations` is for one run
  const isThere = ({ text, end }: Seen) => text === "Here I am." && end === "completed";
  await Promise.all(Object.values(following).map((face) => sees(face, isThere, "the next run")));
});
