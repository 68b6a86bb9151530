import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { TokenBook } from "../access/token-book.ts";
import { OperationsClient } from "../clients/operations/client.ts";
import { serveProcesses } from "../testing/serve-process.ts";

const USERS = 10;
const kinds = ["clarify", "analyze", "plan"] as const;

const { place, launch } = serveProcesses();
const clients: OperationsClient[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

const spec = readFileSync(new URL("../../test/specs/excellent.md", import.meta.url), "utf8");

test("ten users with three operations each are served at once, each with the end that it should have", {
  timeout: 120_000,
}, async () => {
  const at = place();
  const server = await launch(at).ready();
  const { book } = await TokenBook.open(at.home);
  const watched = Array.from({ length: USERS }, async (_, user) => {
    const { token } = await book.create({ name: `user ${user}`, roles: ["observe", "prompt", "approve"] });
    const client = new OperationsClient({ url: server.url, token });
    clients.push(client);
    return Promise.all(
      kinds.map(async (kind) => {
        const feature = `${kind}-${user}`;
        mkdirSync(join(at.workspace, "specs", feature), { recursive: true });
        writeFileSync(join(at.workspace, "specs", feature, "spec.md"), spec);
        const { operation_id } = await client.start(feature, kind);
        const stream = client.watch(operation_id);
        const seen: number[] = [];
        let last = "";
        stream.on("message", ({ sequence, type, content, metadata }) => {
          seen.push(sequence);
          if (metadata?.ask_id && metadata.ask_kind) void stream.answer(metadata.ask_id, "A");
          if (type === "complete") last = content;
        });
        const error = await stream.ended;
        return { kind, error, isWhole: seen.every((sequence, index) => sequence === index), last };
      }),
    );
  });
  const ends = (await Promise.all(watched)).flat();
  book.close();
  const endOf = { clarify: /^Clarification complete\./, analyze: /^Analysis complete\./, plan: /^Planning complete\./ };
  expect(ends).toEqual(
    ends.map(({ kind }) => ({ kind, error: undefined, isWhole: true, last: expect.stringMatching(endOf[kind]) })),
  );
  expect(ends).toHaveLength(USERS * kinds.length);
});
