import { expect, test } from "vitest";
import { httpWorlds } from "../../testing/http-world.ts";
import { openSocket } from "../../testing/socket-server.ts";
import { answerJson } from "./answer.ts";
import type { Route } from "./route.ts";

const newWorld = httpWorlds();

/** A route that answers when it is told to. */
function slowRoute(): { route: Route; begun: Promise<void>; finish: () => void } {
  let begin = () => {};
  let finish = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const route: Route = {
    method: "GET",
    path: "/slow",
    access: "open",
    handle: async ({ response }) => {
      begin();
      await finished;
      answerJson(response, 200, { done: true });
    },
  };
  return { route, begun, finish };
}

test("a stopping server answers what is under way, then is gone, without waiting for idle connections", async () => {
  const { route, begun, finish } = slowRoute();
  const world = await newWorld({ routes: [route] });
  const unused = world.connect();
  const idle = world.connect().send({ path: "/health" });
  await idle.answer();
  const slow = world.connect().send({ path: "/slow" });
  await begun;
  const from = performance.now();
  const closed = world.server.close(10_000);
  await Promise.all([idle.closed, unused.closed]);
  finish();
  expect((await slow.answer()).status).toBe(200);
  await closed;
  expect(performance.now() - from).toBeLessThan(2_000);
});

test("a stopping server takes nothing new, on open connections neither", async () => {
  const { route, begun, finish } = slowRoute();
  const world = await newWorld({ routes: [route] });
  const client = world.connect().send({ path: "/slow" });
  await begun;
  const closed = world.server.close(10_000);
  client.send({ path: "/health" });
  await expect.poll(() => world.logged.map(({ status }) => status)).toContain(503);
  await world.connect().closed;
  finish();
  expect([(await client.answer()).status, (await client.answer()).status]).toEqual([200, 503]);
  await closed;
});

test("streams are told that the server stops", async () => {
  const world = await newWorld({
    routes: [
      {
        method: "GET",
        path: "/stream",
        access: "open",
        stream: true,
        handle: ({ response, stopping }) => {
          response.write("data: hello\n\n");
          stopping.addEventListener("abort", () => response.end("data: bye\n\n"));
        },
      },
    ],
  });
  const client = world.connect().send({ path: "/stream", version: "1.0" });
  await client.answerBegun();
  await world.server.close(10_000);
  expect((await client.answer()).body).toBe("data: hello\n\ndata: bye\n\n");
});

test("what does not end by itself is cut when its time is over, sockets too", async () => {
  const world = await newWorld();
  const headers = { Authorization: `Bearer ${world.admin}` };
  const stream = world.connect().send({ path: "/stream/x", headers });
  const socket = openSocket(`${world.url.replace("http", "ws")}/ui`, { headers });
  await Promise.all([stream.answerBegun(), socket.opened]);
  const from = performance.now();
  await world.server.close(200);
  expect(performance.now() - from).toBeLessThan(2_000);
  await Promise.all([stream.closed, socket.closed]);
});

test("closing twice, and closing what never listened, is nothing", async () => {
  const world = await newWorld();
  await Promise.all([world.server.close(100), world.server.close(100)]);
  await world.server.close(100);
  await expect(world.ask({ path: "/health" })).rejects.toThrow("the connection ended");
});
