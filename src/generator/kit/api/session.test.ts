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
