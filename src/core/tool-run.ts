import * as z from "zod";
import type { Engine, EngineIO, Turn } from "./engine.ts";
import { DragomanError, type ErrorCode } from "./errors.ts";
import type { RunInput, RunResult } from "./events.ts";
import { cut } from "./fit-for-log.ts";
import { resumeByReplay } from "./replayed-io.ts";

const wanted = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });

/** The text is for people; what is run is in `args`. */
const MOST_SHOWN = 200;

/** What a run of kind `tool` is given: one call of one of our tools, asked for by a client. */
export function toolRunInput(tool: string, args: Record<string, unknown>): RunInput {
  return { text: `${tool} ${cut(JSON.stringify(args), MOST_SHOWN)}`, args: { tool, arguments: args } };
}

/** Does the runs that are one call of a tool. No engine has a part in it; the policy has, as ever. */
export const toolRuns: Engine = {
  name: "tool",
  models: async () => [],
  run: (turn, io) => callOnce(turn, io),
  resume: (turn, log, io) => resumeByReplay(turn, log, io, (replayed) => callOnce(turn, replayed)),
};

async function callOnce({ input }: Turn, io: EngineIO): Promise<RunResult> {
  const { tool, arguments: args } = wanted.parse(input.args);
  const reply = await io.tool(tool, args);
  if (reply.outcome === "denied") throw new DragomanError("denied", reply.message);
  if (reply.outcome === "failed") throw new DragomanError(reply.code as ErrorCode, reply.message);
  return { text: shown(reply.result) };
}

function shown(result: unknown): string {
  return typeof result === "string" ? result : JSON.stringify(result ?? null, undefined, 2);
}
