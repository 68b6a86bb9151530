import { expect, test } from "vitest";
import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import { ANSWERED_LATER, type AnsweredLater } from "../dialects/json-rpc.ts";
import { ui } from "../dialects/ui/index.ts";
import { settle } from "../testing/scripted.ts";
import { RpcPeer } from "./rpc-peer.ts";

const calls = {
  wait: { params: z.looseObject({ text: z.string().optional() }), result: z.string() },
  count: { params: z.looseObject({ numbers: z.array(z.number()) }), result: z.number() },
  leave: { params: z.looseObject({}), result: z.string() },
};

function peer(allow?: (method: string) => void) {
  const left = new Set<unknown>();
  const sent: { id: unknown; result?: unknown; error?: { message: string; data: { code: string } } }[] = [];
  const finish: (() => void)[] = [];
  const holds = { open: 0 };
  const it = new RpcPeer({
    calls,
    errors: ui.errors,
    handlers: {
      wait: () => new Promise<string>((resolve) => finish.push(() => resolve("done"))),
      count: ({ numbers }) => numbers.length,
      leave: async (_, { id }): Promise<AnsweredLater> => {
        left.add(id);
        return ANSWERED_LATER;
      },
    },
    isAnsweredLater: (id) => left.has(id),
    allow,
    onReply: () => {},
    send: (json) => sent.push(JSON.parse(json)),
    hold: () => {
      holds.open++;
      return () => holds.open--;
    },
    onFault: () => {},
  });
  const call = (id: number, method: string, params: object) =>
    it.receive(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  return { call, sent, finish, holds, left };
}

test("reads no more while 16 MiB of calls are under way, however few they are", async () => {
  const { call, finish, holds, sent } = peer();
  const text = "x".repeat(1024 * 1024);
  for (let id = 0; id < 15; id++) call(id, "wait", { text });
  expect(holds.open).toBe(0);
  call(15, "wait", { text });
  expect(holds.open).toBe(1);
  finish.shift()?.();
  await settle();
  expect(holds.open).toBe(0);
  for (const one of finish) one();
  await settle();
  expect(sent).toHaveLength(16);
});

test("reads no more while 1000 calls are under way, however small they are", async () => {
  const { call, finish, holds } = peer();
  for (let id = 0; id < 1000; id++) call(id, "wait", {});
  expect(holds.open).toBe(1);
  for (const one of finish) one();
  await settle();
  expect(holds.open).toBe(0);
});

test("says the first things that are wrong with params, not a hundred thousand", () => {
  const { call, sent } = peer();
  call(1, "count", { numbers: Array.from({ length: 100_000 }, () => "no") });
  const { message = "" } = sent[0]?.error ?? {};
  expect(message.split("\n").filter((line) => line.includes("must be a number"))).toHaveLength(10);
  expect(message.length).toBeLessThan(2000);
});

test("asks whether a call is allowed before it looks at the params, and of no method that is not there", () => {
  const asked: string[] = [];
  const { call, sent } = peer((method) => {
    asked.push(method);
    throw new DragomanError("forbidden", "No.");
  });
  call(1, "count", { numbers: "none" });
  call(2, "__proto__", {});
  expect(asked).toEqual(["count"]);
  expect(sent.map(({ id, error }) => [id, error?.data.code])).toEqual([
    [1, "forbidden"],
    [2, "method_not_found"],
  ]);
  expect(sent[1]?.error?.message).toBe('There is no method "__proto__". There are: wait, count, leave.');
});

test("leaves an answer to whoever has it, and takes no second call under its id until that has come", async () => {
  const { call, sent, left } = peer();
  call(1, "leave", {});
  await settle();
  expect(sent).toEqual([]);
  call(1, "count", { numbers: [] });
  expect(sent.splice(0).map(({ id, error }) => [id, error?.data.code])).toEqual([[null, "invalid_request"]]);
  left.delete(1);
  call(1, "count", { numbers: [7] });
  expect(sent).toEqual([{ jsonrpc: "2.0", id: 1, result: 1 }]);
});
