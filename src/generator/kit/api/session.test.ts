import { expect, test } from "vitest";
import { interfaceOf, owner, pet } from "./petstore.test.data.ts";
import { createSession } from "./session.ts";
import type { TransportRequest } from "./transport.ts";

test("starts with sample data, goes live with what is entered, and forgets it", async () => {
  const requests: TransportRequest[] = [];
  const session = createSession(interfaceOf(pet, owner), {
    transport: async (request) => {
      requests.push(request);
      return { status: 200, headers: {}, body: new Blob(['{"id": 1}']) };
    },
  });
  let changes = 0;
  const end = session.subscribe(() => {
    changes += 1;
  });
  const modes = [session.connection()];

  const sample = await session.backend().get(pet, {}, "1");
  session.connect("https://other.example", { key: { token: "secret" } });
  modes.push(session.connection());
  const live = await session.backend().get(pet, {}, "1");
  session.disconnect();
  modes.push(session.connection());
  end();
  session.disconnect();

  expect(modes).toEqual([
    { mode: "mock", server: "https://api.example.com/v1", credentials: {} },
    { mode: "live", server: "https://other.example", credentials: { key: { token: "secret" } } },
    { mode: "mock", server: "https://other.example", credentials: {} },
  ]);
  expect([sample.name, live, changes]).toEqual([expect.any(String), { id: 1 }, 2]);
  expect(requests.map(({ url }) => url)).toEqual(["https://other.example/pets/1"]);
});

test("with a host it follows the host's connection, and passes on which credentials are needed", async () => {
  const requests: TransportRequest[] = [];
  const listeners = new Set<() => void>();
  let connection: { mode: "mock" | "live"; server: string } = { mode: "mock", server: "" };
  const session = createSession(interfaceOf(pet, owner), {
    transport: async (request) => {
      requests.push(request);
      return { status: 200, headers: {}, body: new Blob(['{"id": 1}']) };
    },
    host: {
      connection: () => connection,
      theme: () => undefined,
      openConnection: () => {},
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  let changes = 0;
  session.subscribe(() => {
    changes += 1;
  });
  for (const listener of listeners) listener();
  connection = { mode: "live", server: "https://other.example/v1" };
  for (const listener of listeners) listener();
  const secured = pet.detail && { ...pet, detail: { ...pet.detail, auth: [["key"]] } };
  await session.backend().get(secured ?? pet, {}, "1");

  expect(session.connection()).toEqual({ ...connection, credentials: {} });
  expect(changes).toBe(1);
  expect(requests.map(({ url, auth }) => [url, auth])).toEqual([
    ["https://other.example/v1/pets/1", [["key"]]],
  ]);
});
