import { PassThrough } from "node:stream";
import type { PermissionRequest } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import { settle } from "../../testing/scripted.ts";
import type { AgentExit, AgentProcess } from "../agent-process.ts";
import type { ConnectedCopilot } from "./copilot-client.ts";
import type { CopilotUser } from "./copilot-conversation.ts";
import { CopilotRuntime } from "./copilot-runtime.ts";

const request = { kind: "url", url: "https://example.org/", intention: "Look" } as PermissionRequest;
const allowing = { permit: async () => ({ kind: "approve-once" }) } as Partial<CopilotUser> as CopilotUser;

function running() {
  const stdout = new PassThrough();
  const read: string[] = [];
  stdout.on("data", (piece) => read.push(String(piece)));
  let exit = (_: AgentExit) => {};
  const exited = new Promise<AgentExit>((resolve) => {
    exit = resolve;
  });
  const process = { stdout, exited } as Partial<AgentProcess> as AgentProcess;
  const connected = { process, lastWords: () => "out of memory" } as Partial<ConnectedCopilot> as ConnectedCopilot;
  const runtime = new CopilotRuntime({}, "/w", connected);
  const says = async (text: string) => {
    stdout.write(text);
    await settle();
    return read.splice(0);
  };
  return { runtime, says, exit };
}

test("while it is held nothing of what it says is read, and nothing is lost", async () => {
  const { runtime, says } = running();
  runtime.hold(true);
  expect(await says("a")).toEqual([]);
  runtime.hold(false);
  expect((await says("b")).join("")).toBe("ab");
});

test("whoever is worked for is asked, and leaves it neither held nor allowed anything", async () => {
  const { runtime, says } = running();
  expect(await runtime.conversation.user.permit(request)).toMatchObject({ kind: "reject" });
  const leave = runtime.workFor(allowing);
  expect(await runtime.conversation.user.permit(request)).toEqual({ kind: "approve-once" });
  runtime.hold(true);
  leave();
  expect(await runtime.conversation.user.permit(request)).toMatchObject({ kind: "reject" });
  expect(await says("a")).toEqual(["a"]);
});

test("when it is gone, nobody waits for it any more, and all are told why", async () => {
  const { runtime, exit } = running();
  const waiting = runtime.unlessLost(new Promise(() => {}));
  exit({ code: 137, signal: null });
  const message =
    "Copilot's runtime ended with code 137 in the middle of its work. The next prompt starts it anew. It said: out of memory";
  await expect(waiting).rejects.toMatchObject({ code: "engine_failed", message });
  await expect(runtime.unlessLost(new Promise(() => {}))).rejects.toMatchObject({ message });
  expect(runtime.ended).toBe(true);
});
