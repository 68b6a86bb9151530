import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectStudio, type StudioTarget } from "../clients/studio/index.ts";
import { builtCommand } from "../testing/built-command.ts";
import { ownDescriptions } from "../testing/descriptions.ts";
import { type Place, serveProcesses } from "../testing/serve-process.ts";
import { SseListener } from "../testing/sse-listener.ts";

// The command itself, over a pipe and over a socket: from a description to an interface, changed by words, and back.

const { place, launch } = serveProcesses();
const source = { name: "museum.yaml", text: readFileSync(join(ownDescriptions, "museum.yaml"), "utf8") };
const about = { clientName: "test", clientVersion: "1" };

const overPipe = ({ workspace, home }: Place): StudioTarget => ({
  command: process.execPath,
  args: [builtCommand, "stdio", "--dialect", "studio", "--workspace", workspace],
  env: { ...process.env, DRAGOMAN_HOME: home },
});

async function madeAndChanged(target: StudioTarget) {
  const client = await connectStudio(about, target);
  try {
    const chunks: string[] = [];
    const made = await client.generate({ format: "react", source }, { onChunk: (text) => chunks.push(text) });
    expect(chunks.join("")).toBe(made.code);
    const changed = await client.customize({ currentCode: made.code, prompt: "show special events as cards" });
    const asked = await client.customize({ prompt: "use cards" });
    expect(asked).toMatchObject({ code: null, options: ["Museum hours", "Special events", "Both"] });
    const answered = await client.customize({ prompt: "Both" });
    expect([changed, answered]).toEqual([
      expect.objectContaining({ description: "Special events are shown as cards.", version: 2 }),
      expect.objectContaining({ description: "All lists are shown as cards.", version: 3 }),
    ]);
    const back = await client.call("version/revert", { version: 1 });
    expect([back.code === made.code, back.version]).toEqual([true, 4]);
    const [session] = await client.sessions();
    return session?.sessionId ?? "";
  } finally {
    await client.close();
  }
}

test("over a pipe: the code comes in pieces, is changed, asked about, and gone back to", async () => {
  await madeAndChanged(overPipe(place()));
});

test("over a socket, and another protocol tells of the same runs", async () => {
  const server = await launch(place()).ready();
  const sessionId = await madeAndChanged({ url: server.url, token: server.token });
  const stream = await SseListener.open(server, sessionId);
  await stream.hears(({ data }) => String(data.content ?? "").includes("Back to version 1"), "the last of the runs");
  const asked = stream.heard.filter(({ data }) => data.role === "user").map(({ data }) => data.content);
  expect(asked).toEqual([
    "Generate a react interface for museum.yaml",
    "show special events as cards",
    "use cards",
    "Both",
    "Go back to version 1",
  ]);
});
