import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { messageStream } from "./message-stream.ts";

test("whoever waits for an answer has it before what was said after it is heard, though both come at once", async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const heard: string[] = [];
  const onUpdate = async () => void heard.push("update");
  const { readable, writable } = messageStream(stdin, stdout, { onUpdate, onStray: (line) => heard.push(line) });
  await writable.getWriter().write({ jsonrpc: "2.0", id: 1, method: "session/set_mode" });
  const answer = { jsonrpc: "2.0", id: 1, result: null };
  const update = { jsonrpc: "2.0", method: "session/update", params: {} };
  stdout.end(`${JSON.stringify(answer)}\n${JSON.stringify(update)}\n`);
  const reader = readable.getReader();
  const answered = reader.read().then(async () => {
    for (let turn = 0; turn < 100; turn++) await undefined;
    heard.push("answer");
  });
  await reader.read();
  await answered;
  expect(heard).toEqual(["answer", "update"]);
});
