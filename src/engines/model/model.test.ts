import type { Engine } from "../../core/engine.ts";
import { temporaryWorkspaces } from "../../testing/workspace.ts";
import { tools } from "../../tools/index.ts";
import { type Case, engineContract } from "../contract.ts";
import { modelWorld } from "./model-world.test.data.ts";

const world = modelWorld();
const newWorkspace = temporaryWorkspaces();

/** The engine has no tools, and so asks nobody. What does here is around it, as operations are. */
const withTool = (engine: Engine): Engine => ({
  ...engine,
  run: async (turn, io, signal) => {
    await io.tool("write", { path: "notes.txt", content: "hello" });
    signal.throwIfAborted();
    return engine.run(turn, io, signal);
  },
});

const contractCase = (text: string, engine = world.engine()): Case => ({ engine, input: { text } });

engineContract("model", {
  answers: () => contractCase("Say hello [[think I could greet them]] [[say Hello!]]"),
  fails: () => contractCase("[[fail 400 This model does not like it.]]"),
  goesOn: () => contractCase("[[say One moment.]] [[wait 600000]]"),
  asks: () => ({ ...contractCase("[[say Done.]]", withTool(world.engine())), tools, workspace: newWorkspace().path }),
});
