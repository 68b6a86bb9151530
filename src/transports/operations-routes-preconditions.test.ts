import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { errorBody, errors } from "../dialects/operations/errors.ts";
import { etagOf } from "../operations/features/index.ts";
import { FEATURE, operationsNodes, SPEC, stepwise } from "../testing/operations-node.ts";
import { selfSigned } from "../testing/self-signed.ts";
import { refusedUpgrade } from "../testing/socket-server.ts";

const node = operationsNodes();
const specIn = (workspace: string) => readFileSync(join(workspace, "specs", FEATURE, "spec.md"), "utf8");

describe("nothing is written by a PUT", () => {
  test("of what is not UTF-8", async () => {
    const { world, token, workspace } = await node(async () => "");
    const { status, body } = await world.askAs(await token(), {
      method: "PUT",
      path: `/api/v1/features/${FEATURE}/spec`,
      headers: { "Content-Type": "application/json" },
      body: '{"content": "caf\xe9"}',
    });
    expect([status, errorBody.parse(JSON.parse(body)).error.code]).toEqual([400, "INVALID_JSON"]);
    expect(specIn(workspace)).toBe(SPEC);
  });

  test.each<[what: string, headers: Record<string, string>, body: object]>([
    ["both what it is and that it is not there", { "If-Match": `"${etagOf(SPEC)}"`, "If-None-Match": "*" }, {}],
    ["that it is any and none", { "If-Match": "*", "If-None-Match": "*" }, {}],
    ["the same in the body", { "If-None-Match": "*" }, { if_match: etagOf(SPEC) }],
    ["which one it is not", { "If-None-Match": '"9b1c"' }, {}],
    ["of several which one it is", { "If-Match": `"${etagOf(SPEC)}", "9b1c"` }, {}],
  ])("that says of the document %s", async (_, headers, more) => {
    const { rest, workspace } = await node(async () => "");
    const { status, json } = await rest(
      `PUT /features/${FEATURE}/spec`,
      { content: "# Two\n", ...more },
      undefined,
      headers,
    );
    expect([status, errorBody.parse(json).error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(specIn(workspace)).toBe(SPEC);
  });
});

test("what may be large counts among the answers that are held, and is refused where there is no room", async () => {
  const { script } = stepwise();
  const { rest, start } = await node(script, { http: { limits: { answerBytesInAll: 20 } } });
  const operationId = await start();
  const refused = [];
  for (const path of [
    `/features/${FEATURE}/spec`,
    `/operations?feature=${FEATURE}`,
    `/operations/${operationId}`,
    `/operations/${operationId}/messages`,
  ]) {
    const { status, json } = await rest(`GET ${path}`);
    refused.push([status, errorBody.parse(json).error.code]);
  }
  expect(refused).toEqual(Array(4).fill([errors.queue_full.status, "QUEUE_FULL"]));
});

test("over TLS an operation is watched over TLS", async () => {
  const tls = selfSigned();
  const { world, token } = await node(async () => "", { http: { tls } });
  const headers = { Authorization: `Bearer ${await token()}` };
  const where = { host: "localhost", port: world.port, path: `/api/v1/features/${FEATURE}/analyze`, ca: tls.cert };
  const text = await new Promise<string>((resolve, reject) => {
    const asked = request({ ...where, method: "POST", headers, agent: false }, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    });
    asked.once("error", reject).end();
  });
  const { operation_id, websocket_url } = JSON.parse(text);
  expect(websocket_url).toBe(`wss://localhost:${world.port}/ws?operation_id=${operation_id}`);
});

describe("the log has", () => {
  test("a PUT by its name", async () => {
    const { rest, world } = await node(async () => "");
    const { headers } = await rest(`PUT /features/${FEATURE}/spec`, { content: "# Two\n" });
    expect(world.logged.filter(({ event }) => event === "http.answered")).toMatchObject([
      { method: "PUT", route: "/api/v1/features/:id/spec", status: 200, requestId: headers["x-request-id"] },
    ]);
    expect(world.metrics.text()).toContain('dragoman_http_requests_total{method="PUT"');
  });

  test("a socket under the id that the answer to its upgrade has", async () => {
    const { world, token } = await node(async () => "");
    const headers = { Authorization: `Bearer ${await token()}` };
    const { status, head } = await refusedUpgrade(`${world.url.replace("http", "ws")}/ws?operation_id=x`, headers);
    const [opened] = world.logged.filter(({ event }) => event === "socket.opened");
    expect([status, /^X-Request-Id: (.*)$/im.exec(head)?.[1]]).toEqual([101, opened?.requestId]);
    expect(opened?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });
});
