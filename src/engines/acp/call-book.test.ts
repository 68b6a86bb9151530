import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { randomId } from "../../core/ids.ts";
import { AcpIo } from "../../testing/acp-io.ts";
import { CallBook } from "./call-book.ts";
import { toolCallSchema } from "./wire.ts";

const turn = { runId: randomId(), workspace: "/w" };
const bookOf = (io: AcpIo) => new CallBook({ io, turn, clock: new ManualClock(), source: "agent" });
const told = (fields: Record<string, unknown>) => toolCallSchema.parse({ toolCallId: "1", ...fields });

test.each([
  ["edit", "read", "edit"],
  ["edit", "other", "edit"],
  ["execute", "other", "shell"],
  ["read", "other", "agent:other"],
  ["other", "read", "agent:other"],
  ["read", "edit", "edit"],
  [undefined, "search", "agent:other"],
])("a call of the kind %s that is asked about as %s is judged as %s", async (kind, asked, name) => {
  const io = new AcpIo();
  const book = bookOf(io);
  const rawInput = kind === "execute" ? { command: "ls" } : { path: "/" };
  await book.tell(told({ kind, status: "in_progress", rawInput }), false);
  await book.permit(told({ kind: asked }));
  expect(io.asked.map(({ as }) => as.name)).toEqual([name]);
});

test("a call that is asked about is judged and shown by all that was told of it", async () => {
  const io = new AcpIo();
  const book = bookOf(io);
  const diff = { type: "diff", path: "/w/a", oldText: null, newText: "x\n" };
  await book.tell(told({ kind: "edit", rawInput: { path: "/w/a" }, content: [diff] }), false);
  await book.permit(told({ title: "Edit", rawInput: { fileName: "/etc/b" }, content: [] }));
  const [call] = io.asked;
  expect(call).toMatchObject({ tool: "edit", args: { path: "/w/a", fileName: "/etc/b" } });
  const intent = await call?.intent({ workspace: "/", trusted: false });
  expect(intent).toMatchObject({
    targets: [{ real: "/w/a" }, { real: "/etc/b" }],
    diff: expect.stringContaining("+x"),
  });
});

test("a call that has ended is not asked about, whoever might say yes", async () => {
  const io = new AcpIo({ allowed: false, code: "denied", message: "Keep it.", goOn: true });
  const book = bookOf(io);
  const call = told({ title: "Remove", kind: "execute", rawInput: { command: "rm a" } });
  expect(await book.permit(call)).toMatchObject({ permission: { code: "denied" }, title: "rm a" });
  expect(await book.permit(call)).toMatchObject({ permission: { allowed: false, code: "conflict" }, title: "Remove" });
  expect(io.asked).toHaveLength(1);
  expect(io.said.map(({ type }) => type)).toEqual(["tool.requested", "tool.finished"]);
});
