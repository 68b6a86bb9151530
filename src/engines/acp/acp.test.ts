import type { Step } from "../../testing/acp-agent-turn.ts";
import { AcpFixture } from "../../testing/acp-fixture.ts";
import { engineContract } from "../contract.ts";
import { acpEngine } from "./index.ts";

const agents = new AcpFixture();

const toolCall = { toolCallId: "call_1", title: "Touch a", kind: "execute", rawInput: { command: "touch a" } };

const asking: Step[] = [
  { update: { sessionUpdate: "tool_call", status: "pending", ...toolCall } },
  {
    ask: toolCall,
    yes: [{ update: { sessionUpdate: "tool_call_update", toolCallId: "call_1", status: "completed" } }],
    no: [{ update: { sessionUpdate: "tool_call_update", toolCallId: "call_1", status: "failed" } }],
  },
  { say: "That was it." },
];

function doing(steps: Step[]) {
  const engine = acpEngine(agents.options());
  return { engine, input: { text: JSON.stringify(steps) }, workspace: agents.newFolder() };
}

engineContract("acp", {
  answers: () => doing([{ say: "Hello." }]),
  fails: () => doing([{ fail: { code: -32603, message: "Internal error: API Error: 500 out of order" } }]),
  goesOn: () => doing([{ say: "It goes on" }, { hang: "until cancelled" }]),
  asks: () => doing(asking),
});
