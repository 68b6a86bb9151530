import { expect, test } from "vitest";
import { scripted } from "../../../testing/scripted.ts";
import { type Host, studioNodes } from "../../../testing/studio-wire.ts";

const newNode = studioNodes();
const spec = {
  format: "openapi3",
  metadata: { title: "Pets", version: "1" },
  endpoints: [{ path: "/pets", method: "GET", parameters: [], responses: {} }],
  models: [],
};

const gone = { code: -32800, message: "The host is gone." };

/** A session in which two large modules were generated that are quite different. */
async function twoModules(): Promise<{ host: Host; observer: Host; sessionId: string }> {
  const words = ["const", "return"];
  const engine = scripted(async () => {
    const word = words.shift();
    const code = Array.from({ length: 30_000 }, (_, at) => (at % 3 ? `  ${word} ${at};` : "  },")).join("\n");
    return { text: "Done", code, data: { componentCount: 1 } };
  });
  const node = newNode({ engines: [engine] });
  const host = await node.open({ streaming: false });
  for (const id of [1, 2]) {
    host.ask(id, "generate", { spec, format: "react" });
    await host.answer(id);
  }
  const { sessionId } = host.wire.messages.find(({ method }) => method === "run/started").params;
  return { host, observer: await node.open({ roles: ["observe"] }), sessionId };
}

test("two large modules are compared within seconds, and others are answered meanwhile", async () => {
  const { host, observer, sessionId } = await twoModules();
  observer.ask("diff", "version/diff", { sessionId, from: 1, to: 2 });
  const isAnswered = () => observer.wire.messages.some(({ id }) => id === "diff");
  let answeredMeanwhile = 0;
  for (; !isAnswered(); answeredMeanwhile++) await host.wire.result("session/list", {});
  expect(await observer.answer("diff")).toMatchObject({
    result: {
      from: 1,
      to: 2,
      diff: expect.stringMatching(/^--- version-1.tsx\n\+\+\+ version-2.tsx\n\(The two have too/),
    },
  });
  expect(answeredMeanwhile).toBeGreaterThan(20);
});

test("for a host that is gone nothing is compared any more", async () => {
  const { observer, sessionId } = await twoModules();
  const ids = Array.from({ length: 20 }, (_, at) => at);
  for (const id of ids) observer.ask(id, "version/diff", { sessionId, from: 1, to: 2 });
  await observer.wire.result("session/list", {});
  observer.connection.close();
  const answers = await Promise.all(ids.map((id) => observer.answer(id)));
  expect(answers).toEqual(ids.map((id) => expect.objectContaining({ id, error: expect.objectContaining(gone) })));
});
