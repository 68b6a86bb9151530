import { randomInt } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type StubModel, startStubModel } from "../stub-model/index.ts";
import { serveCopilot } from "../testing/copilot-serve.ts";
import { type Begun, doorOf, type Face, openAsk, sees } from "../testing/faces/face.ts";
import { startOnSidecar, watchOnSidecar } from "../testing/faces/sidecar-face.ts";
import { processesWith } from "../testing/processes-with.ts";
import { until } from "../testing/scripted.ts";
import type { ServeProcess } from "../testing/serve-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

// Dragoman is killed in the middle of Copilot's work, and another one goes on with the session.

const folder = temporaryFolder();
const servers: ServeProcess[] = [];
let stub: StubModel;

beforeAll(async () => {
  stub = await startStubModel();
});

afterAll(() => stub.close());

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.child.stdin.end();
    await server.exit;
  }
});

async function serve(name: string): Promise<ServeProcess> {
  const server = await serveCopilot(`${folder.path}/${name}`, stub);
  servers.push(server);
  return server;
}

const watch = (server: ServeProcess, begun: Begun): Promise<Face> =>
  watchOnSidecar(doorOf(server, server.token), begun);

async function killed(server: ServeProcess): Promise<void> {
  server.child.kill("SIGKILL");
  await server.exit;
}

const says = (face: Face, text: string) =>
  sees(face, (seen) => seen.end !== undefined && seen.text.includes(text), JSON.stringify(text));

test("after a kill -9 Copilot goes on with its own session, and knows what was said before", async () => {
  const first = await serve("remembers");
  const begun = await startOnSidecar(doorOf(first, first.token), "The word is marzipan. [[say Noted.]]");
  await says(await watch(first, begun), "Noted.");
  await killed(first);
  const second = await serve("remembers");
  const face = await watch(second, begun);
  await face.prompt("What was the word? [[recall]]");
  expect((await says(face, "marzipan")).end).toBe("completed");
  face.close();
});

test("a run that a kill -9 cuts off is told as lost, its tools are ended, and the session goes on", async () => {
  const nap = `${randomInt(100_000, 900_000)}.5`;
  const first = await serve("lost");
  const begun = await startOnSidecar(doorOf(first, first.token), `The word is nougat. [[run sleep ${nap}]]`);
  const watching = await watch(first, begun);
  const { asks } = await sees(watching, (now) => openAsk(now) !== undefined, "an open ask");
  await watching.approve(openAsk({ text: "", tools: {}, asks }) ?? "");
  await until(() => processesWith(nap).length > 0, "the tool");
  await killed(first);
  const second = await serve("lost");
  const face = await watch(second, begun);
  expect(await sees(face, ({ end }) => end !== undefined, "the end")).toMatchObject({ end: "failed" });
  await until(() => processesWith(nap).length === 0, "the end of the tool");
  await face.prompt("Go on. [[recall]]");
  expect((await says(face, "nougat")).end).toBe("completed");
  face.close();
});

test("a run that waits for an answer when Dragoman is killed is told as lost, and nothing of it is done", async () => {
  const first = await serve("asked");
  const begun = await startOnSidecar(doorOf(first, first.token), "Shall I? [[run echo done > done.txt]]");
  await sees(await watch(first, begun), (now) => openAsk(now) !== undefined, "an open ask");
  await killed(first);
  const second = await serve("asked");
  const face = await watch(second, begun);
  const seen = await sees(face, ({ end }) => end !== undefined, "the end");
  expect(seen).toMatchObject({ end: "failed" });
  expect(openAsk(seen)).toBeUndefined();
  await face.prompt("And now? [[say Still here.]]");
  expect((await says(face, "Still here.")).end).toBe("completed");
  face.close();
});

test("what a kill -9 left running is ended by the next server, also where nobody asks for the session", async () => {
  const nap = `${randomInt(100_000, 900_000)}.75`;
  const first = await serve("nobody-asks");
  const begun = await startOnSidecar(doorOf(first, first.token), `[[run sleep ${nap}]]`);
  const watching = await watch(first, begun);
  const { asks } = await sees(watching, (now) => openAsk(now) !== undefined, "an open ask");
  await watching.approve(openAsk({ text: "", tools: {}, asks }) ?? "");
  await until(() => processesWith(nap).length > 0, "the tool");
  await killed(first);
  await serve("nobody-asks");
  await until(() => processesWith(nap).length === 0, "the end of the tool");
});
