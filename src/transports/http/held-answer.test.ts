import { expect, test } from "vitest";
import { type HttpWorld, httpWorlds } from "../../testing/http-world.ts";
import { call, specimenEndpoint } from "../../testing/specimen-endpoint.ts";
import type { Route } from "./route.ts";
import { answerRpc } from "./rpc-endpoint-http.ts";

const newWorld = httpWorlds();
/** More than a connection takes while nobody reads it. */
const LARGE = 20 * 1024 * 1024;

const answering = (): Route => {
  const { answer } = specimenEndpoint({ get_data: () => "x".repeat(LARGE) });
  return {
    method: "POST",
    path: "/large",
    access: "observe",
    handle: (exchange) => answerRpc(exchange, (body, hold) => answer(body, "me", hold)),
  };
};
const asking = ({ admin }: HttpWorld, method = "get_data") => ({
  method: "POST",
  path: "/large",
  headers: { Authorization: `Bearer ${admin}`, "Content-Type": "application/json" },
  body: JSON.stringify(call(method, 1, method === "sum" ? [1] : undefined)),
});
const heldIn = ({ metrics }: HttpWorld) => Number(/^dragoman_http_answer_bytes (\d+)$/m.exec(metrics.text())?.[1]);

test("answers that nobody reads are held up to a bound in all, and one more is refused with 503 until they are gone", async () => {
  const world = await newWorld({ routes: [answering()], limits: { answerBytesInAll: 2.5 * LARGE } });
  const deaf = [world.connect(), world.connect()];
  for (const { socket } of deaf) socket.pause();
  for (const client of deaf) client.send(asking(world));
  await expect.poll(() => heldIn(world)).toBeGreaterThan(2 * LARGE);
  const refused = await world.ask(asking(world));
  expect([refused.status, refused.headers["retry-after"], JSON.parse(refused.body).error.code]).toEqual([
    503,
    "1",
    "queue_full",
  ]);
  expect((await world.ask(asking(world, "sum"))).status).toBe(200); // a small one is there for everyone
  for (const { socket } of deaf) socket.destroy();
  await expect.poll(() => heldIn(world)).toBe(0);
});

test("an answer counts until it is read, also one that waits behind another on its connection", async () => {
  const world = await newWorld({ routes: [answering()] });
  expect((await world.ask(asking(world))).status).toBe(200);
  await expect.poll(() => heldIn(world)).toBe(0);
  const client = world.connect();
  client.socket.pause();
  client.send(asking(world)).send(asking(world));
  await expect.poll(() => heldIn(world)).toBeGreaterThan(LARGE);
  client.socket.destroy();
  await expect.poll(() => heldIn(world)).toBe(0);
});
