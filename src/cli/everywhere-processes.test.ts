import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Begun, doorOf, type Face, openAsk, sees } from "../testing/faces/face.ts";
import { startOnLive } from "../testing/faces/live-face.ts";
import { startOnStudio } from "../testing/faces/studio-face.ts";
import { startOnUi } from "../testing/faces/ui-face.ts";
import { watchOnAll } from "../testing/faces/watchers.ts";
import { serveProcesses } from "../testing/serve-process.ts";
import { stdioProcesses } from "../testing/stdio-process.ts";
import { WireEnd } from "../testing/wire-end.ts";

// A run that began in one process is watched in another, on every protocol at once: the bundled command on real pipes and sockets.

const { place, launch: serve } = serveProcesses();
const { launch: spawn } = stdioProcesses();
const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A server of a folder, and everything that it listens at. */
async function served() {
  const where = place();
  const path = join(where.home, "..", "live.sock");
  const server = await serve(where, ["--port", "0", "--announce", "--live-socket", path, "--live-port", "0"]).ready();
  const port = Number(/^LIVE_PORT=(\d+)$/m.exec(server.stdout)?.[1]);
  return { where, server, path, port, door: doorOf(server, server.token) };
}
type Served = Awaited<ReturnType<typeof served>>;

const wireOf = (socket: ReturnType<typeof connect>) => {
  const wire = WireEnd.ofStreams(socket, socket);
  open.push(wire);
  return wire;
};
const onPipes = ({ where }: Served, dialect: string) => spawn(where, "--dialect", dialect).wire;

type Start = (at: Served, text: string) => Promise<Begun>;
const starts: Record<string, Start> = {
  "ui on stdio": (at, text) => startOnUi(onPipes(at, "ui"), text),
  "studio on stdio": (at, text) => startOnStudio(onPipes(at, "studio"), text),
  "live on stdio": (at, text) => startOnLive(onPipes(at, "live"), text),
  "live at a Unix socket": ({ path }, text) => startOnLive(wireOf(connect(path)), text),
  "live at a port": ({ port, server }, text) => {
    const wire = wireOf(connect(port, "127.0.0.1"));
    wire.send({ type: "auth", data: { token: server.token } });
    return startOnLive(wire, text);
  },
};

describe.each(Object.entries(starts))("a run that was started by %s", (_, start) => {
  test("is watched on every protocol of a server, approved there, and the same on all", async () => {
    const at = await served();
    const begun = await start(at, "write a file notes.txt with the text hello");
    const faces = await watchOnAll(at.door, begun);
    open.push(...faces);
    const asked = await Promise.all(faces.map((face) => sees(face, (now) => openAsk(now) !== undefined, "the ask")));
    const [askId = "", ...others] = new Set(asked.map(openAsk));
    expect(others).toEqual([]);
    await (faces[2] as Face).approve(askId);
    const ended = await Promise.all(faces.map((face) => sees(face, ({ end }) => end !== undefined, "the end")));
    for (const { text, tools, asks, end } of ended) {
      expect(text).toContain("Created `notes.txt` (6 bytes).");
      expect([Object.values(tools), asks, end]).toEqual([["done"], { [askId]: "closed" }, "completed"]);
    }
    expect(readFileSync(join(at.where.workspace, "notes.txt"), "utf8")).toBe("hello\n");
  });
});
