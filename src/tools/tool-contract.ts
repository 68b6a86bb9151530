import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { AnyTool } from "../core/tool.ts";
import { temporaryWorkspaces, type Workspace } from "../testing/workspace.ts";

export interface ToolExample {
  /** Arguments that work in the prepared workspace. */
  args: Record<string, unknown>;
  prepare?(workspace: Workspace): void;
}

/** What every tool promises. A tool's own test adds what only that tool does. */
export function toolContract(tool: AnyTool, example: ToolExample): void {
  describe(`tool ${tool.name}`, () => {
    const newWorkspace = temporaryWorkspaces();
    const prepared = () => {
      const workspace = newWorkspace();
      example.prepare?.(workspace);
      return workspace;
    };

    test("has a name and a description that a model can use, and a schema that can be sent to one", () => {
      expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(tool.description).toMatch(/^[A-Z].{20,400}\.$/);
      expect(z.toJSONSchema(tool.args, { io: "input" })).toMatchObject({ type: "object" });
      expect(["read", "edit", "execute", "search", "fetch", "other"]).toContain(tool.kind);
      expect(["read", "edit", "execute", "publish"]).toContain(tool.risk);
    });

    test.each([null, "text", [], 1])("does not take %j for its arguments", (args) => {
      expect(tool.args.safeParse(args).success).toBe(false);
    });

    test("says what it would do, the same each time, without doing it", async () => {
      const at = prepared();
      const before = snapshot(at.around);
      const intent = await at.intent(tool, example.args);
      expect(intent.title).toMatch(/^[A-Z][^\n]*$/);
      expect(await at.intent(tool, example.args)).toEqual(intent);
      expect(snapshot(at.around)).toEqual(before);
    });

    test("names nothing to be written if it only reads", async () => {
      const { targets } = await prepared().intent(tool, example.args);
      if (tool.risk === "read") expect(targets.filter(({ writes }) => writes)).toEqual([]);
    });

    test("gives a result that is JSON", async () => {
      const { result } = await prepared().run(tool, example.args);
      expect(result).toBeTypeOf("object");
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    });

    test("says that the workspace is gone", async () => {
      const at = prepared();
      rmSync(at.path, { recursive: true });
      await expect(at.run(tool, example.args)).rejects.toMatchObject({
        code: "tool_failed",
        message: expect.stringMatching(/^The workspace .* is gone\. /),
      });
    });
  });
}

/** All that is in a folder, by path. */
function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const stats = lstatSync(join(folder, name));
      const content = stats.isFile() ? readFileSync(join(folder, name), "base64") : "";
      return [name, `${stats.mode} ${content}`];
    }),
  );
}
