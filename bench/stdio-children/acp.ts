import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import { TITLE } from "./payload.ts";

// An agent on the ACP SDK that says as much as it is asked to. Nothing of it is kept anywhere.

const stream = ndJsonStream(
  Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
  Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
);
agent({ name: "bench" })
  .onRequest(methods.agent.initialize, async () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, async () => ({ sessionId: "6f1f7a44-3c1b-4a43-9a35-5e0f8e5ad3c1" }))
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const [first] = params.prompt;
    const count = first?.type === "text" ? Number(first.text) : 0;
    const { sessionId } = params;
    for (let at = 0; at < count; at++) {
      const content = { type: "text" as const, text: TITLE };
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content },
      });
    }
    return { stopReason: "end_turn" as const };
  })
  .connect(stream);
