import { expect, test } from "vitest";
import { serveProcesses } from "../testing/serve-process.ts";
import { SseListener } from "../testing/sse-listener.ts";
import type { WireMessage } from "../testing/ui-wire.ts";

const { place, launch } = serveProcesses();

const CLIENTS = 50;
const SAME_ID = 1;

test("fifty clients that use the same ids get their own answers, and hear of their own sessions only", async () => {
  const server = await launch(place()).ready();
  const call = async (method: string, params: object): Promise<WireMessage> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: SAME_ID, method, params });
    const headers = { "content-type": "application/json" };
    const answer: WireMessage = await (await server.fetch("/rpc", { method: "POST", headers, body })).json();
    expect(answer).toEqual({ jsonrpc: "2.0", id: SAME_ID, result: expect.anything() });
    return answer.result;
  };
  const client = async (_: unknown, which: number) => {
    const title = `client ${which}`;
    const { sessionId } = await call("session.create", {});
    expect(await call("session.update", { sessionId, title })).toEqual(expect.anything());
    const prompt = `list the files, says ${title}`;
    const [sent, listed] = await Promise.all([
      call("session.send", { sessionId, prompt }),
      call("session.list", { limit: 100 }),
    ]);
    expect(sent.streamUrl).toBe(`/stream/${sessionId}`);
    const mine = listed.sessions.filter((session: WireMessage) => session.sessionId === sessionId);
    expect(mine).toMatchObject([{ title }]);
    const stream = await SseListener.open(server, sessionId);
    await stream.hears(({ data }) => data.done === true, "the end of the run");
    const asked = stream.heard.filter(({ data }) => data.role === "user");
    expect(asked.map(({ data }) => [data.messageId, data.content])).toEqual([[sent.messageId, prompt]]);
    expect(await call("session.close", { sessionId })).toEqual({ closed: true });
    return { sessionId, messageId: sent.messageId };
  };
  const all = await Promise.all(Array.from({ length: CLIENTS }, client));
  expect(new Set(all.flatMap(({ sessionId, messageId }) => [sessionId, messageId])).size).toBe(2 * CLIENTS);
});
