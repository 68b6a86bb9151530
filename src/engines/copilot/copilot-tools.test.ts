import { expect, test } from "vitest";
import { clientTools, resultFor } from "./copilot-tools.ts";

const offer = (...names: string[]) =>
  clientTools(
    names.map((name) => ({ name, description: `Does ${name}.`, parameters: { type: "object" } })),
    async (name, args) => ({ textResultForLlm: `${name} ${JSON.stringify(args)}`, resultType: "success" }),
  );

test("a tool has a name that Copilot takes, and is called by its own", async () => {
  const { names, config } = offer("fs.look up");
  expect([...names]).toEqual(["fs_look_up"]);
  const [tool] = config.tools;
  expect(tool).toMatchObject({ name: "fs_look_up", description: "Does fs.look up.", skipPermission: true });
  const invocation = { sessionId: "s", toolCallId: "c", toolName: "fs_look_up", arguments: {} };
  expect(await tool?.handler?.({ a: 1 }, invocation)).toMatchObject({ textResultForLlm: 'fs.look up {"a":1}' });
});

test("what does the same among Copilot's own tools is left out, but not what has the very name", () => {
  expect(offer("read", "edit").config.excludedTools).toEqual([
    "builtin:view",
    "builtin:apply_patch",
    "builtin:str_replace_editor",
  ]);
  expect(offer("shell").config.excludedTools).toContain("builtin:bash");
  expect(offer("lookup").config.excludedTools).toEqual([]);
});

test("the same tools are known as the same", () => {
  expect(offer("a", "b").key).toBe(offer("a", "b").key);
  expect(offer("a", "b").key).not.toBe(offer("a").key);
});

test("how a call went is told to the model", () => {
  const callId = "c";
  expect(resultFor({ outcome: "done", callId, result: "plain" })).toEqual({
    textResultForLlm: "plain",
    resultType: "success",
  });
  expect(resultFor({ outcome: "done", callId, result: undefined }).textResultForLlm).toBe("null");
  expect(resultFor({ outcome: "failed", callId, code: "tool_failed", message: "It broke." })).toEqual({
    textResultForLlm: "It broke.",
    resultType: "failure",
    error: "It broke.",
  });
  expect(resultFor({ outcome: "denied", callId, message: "No.", goOn: true }).resultType).toBe("rejected");
});
