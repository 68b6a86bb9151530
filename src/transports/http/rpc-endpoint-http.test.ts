import { Agent, request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { call, specimenEndpoint } from "../../testing/specimen-endpoint.ts";
import { UngatedServer } from "../../testing/ungated-server.ts";
import { answerRpc } from "./rpc-endpoint-http.ts";

const CLIENTS = 50;
const CALLS = 40;

let server: UngatedServer;
afterEach(() => server.close());

async function serve(more?: Parameters<typeof specimenEndpoint>[0]) {
  const { answer, heard } = specimenEndpoint(more);
  server = await UngatedServer.open((exchange) => answerRpc(exchange, (body) => answer(body, exchange.caller.name)));
  const post = (body: string, type: string | undefined, agent?: Agent) =>
    new Promise<{ status?: number; type?: string; body: string }>((resolve, reject) => {
      const headers = type === undefined ? {} : { "Content-Type": type };
      const sent = request(`${server.url}/rpc`, { method: "POST", headers, agent }, async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode, type: response.headers["content-type"], body: text });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  return { post, heard };
}

test("an answer is 200 with JSON, an error of a call too, and nothing to say is 204 without a body", async () => {
  const { post, heard } = await serve();
  expect(await post(JSON.stringify(call("sum", 1, [1, 2])), "application/json")).toEqual({
    status: 200,
    type: "application/json",
    body: '{"jsonrpc":"2.0","id":1,"result":3}',
  });
  const { status, type } = await post("{", "application/json");
  expect([status, type]).toEqual([200, "application/json"]);
  const notification = JSON.stringify({ jsonrpc: "2.0", method: "update", params: [1] });
  expect(await post(`[${notification}]`, "application/json")).toEqual({ status: 204, body: "" });
  expect(heard).toEqual([["update", [1]]]);
});

test.each([
  "application/json",
  "Application/JSON",
  "application/json; charset=utf-8",
  'application/json;charset="UTF-8"',
])("takes a body of the type %s", async (type) => {
  const { post } = await serve();
  expect((await post(JSON.stringify(call("sum", 1, [1])), type)).status).toBe(200);
});

test.each([
  undefined,
  "",
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/jsonp",
  "text/json",
  "application/json; charset=latin1",
])("refuses one of the type %s with 415, and does nothing of it", async (type) => {
  const { post, heard } = await serve();
  expect(await post(JSON.stringify(call("update", 1, [1])), type)).toEqual({
    status: 415,
    type: "application/json",
    body: '{"error":{"code":"invalid_request","message":"The body must be JSON: send it with \\"Content-Type: application/json\\"."}}',
  });
  expect(heard).toEqual([]);
});

test("fifty clients that use the same ids see the answers to their own calls only", async () => {
  const waiting: (() => void)[] = [];
  let asked = 0;
  const { post } = await serve({
    sum: (given) =>
      new Promise((resolve) => {
        asked++;
        waiting.push(() => resolve(given[0] ?? 0));
        // Answered in another order than they came in.
        if (waiting.length === CLIENTS || asked === CLIENTS * CALLS)
          for (const tell of waiting.splice(0).reverse()) tell();
      }),
  });
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const got: unknown[] = [];
    for (let id = 0; id < CALLS; id++) {
      const { body } = await post(JSON.stringify(call("sum", id, [client * CALLS + id])), "application/json", agent);
      got.push(JSON.parse(body));
    }
    agent.destroy();
    return got;
  });
  const expected = (client: number) =>
    Array.from({ length: CALLS }, (_, id) => ({ jsonrpc: "2.0", id, result: client * CALLS + id }));
  expect(await Promise.all(clients)).toEqual(clients.map((_, client) => expected(client)));
});
