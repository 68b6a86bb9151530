import { expect, test } from "vitest";
import { MemoryRuntime } from "../../testing/memory-ui-link.ts";
import { LinkedUiClient } from "./client.ts";
import type { Connect } from "./link.ts";
import { loadedLink } from "./loaded-link.ts";

const about = { client: { name: "test", version: "1" }, restart: false as const };

/** What is loaded when the test says so. */
function later() {
  let [load, fail] = [(_: Connect) => {}, (_: Error) => {}];
  const loading = new Promise<Connect>((resolve, reject) => ([load, fail] = [resolve, reject]));
  return { client: new LinkedUiClient({ ...about, connect: loadedLink(() => loading) }), load, fail };
}

test("what is said before it is loaded is sent then, and calls go on from there", async () => {
  const { client, load } = later();
  const runtime = new MemoryRuntime();
  const starting = client.start();
  const todos = client.todos();
  expect([client.state, runtime.opened]).toEqual(["starting", 0]);
  load(runtime.connect);
  await starting;
  await expect.poll(() => runtime.methods).toEqual(["initialize", "todos.list"]);
  runtime.answer("todos.list", { todos: [] });
  await todos;
  await client.close();
});

test("a pipe that is full from the first line on is waited for", async () => {
  const { client, load } = later();
  const runtime = new MemoryRuntime();
  runtime.hasRoom = false;
  const starting = client.start();
  load(runtime.connect);
  await starting;
  const todos = client.todos().catch(({ code }) => code);
  expect(runtime.methods).toEqual(["initialize"]);
  runtime.drain();
  await expect.poll(() => runtime.methods).toEqual(["initialize", "todos.list"]);
  await client.close();
  expect(await todos).toBe("closed");
});

test("closed before it is loaded, nothing is opened", async () => {
  const { client, load } = later();
  const runtime = new MemoryRuntime();
  const starting = client.start().catch(({ message }) => message);
  const closing = client.close();
  load(runtime.connect);
  await closing;
  expect([await starting, runtime.opened]).toEqual(["This client was closed", 0]);
});

test("what cannot be loaded, or opened, is told as a runtime that cannot be started", async () => {
  const unloaded = later();
  unloaded.fail(new Error("no such file"));
  const unopened = later();
  unopened.load(() => {
    throw new Error("no such command");
  });
  for (const [{ client }, why] of [
    [unloaded, "no such file"],
    [unopened, "no such command"],
  ] as const) {
    await expect(client.start()).rejects.toMatchObject({
      code: "closed",
      message: `The runtime cannot be started: ${why}`,
    });
  }
});
