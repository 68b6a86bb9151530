import type { Command } from "commander";
import { DragomanError } from "../../core/errors.ts";
import { port } from "../arguments.ts";
import { leaveWith } from "../leave.ts";

const USUAL_PORT = 4010;

export function addStubModel(program: Command): void {
  program
    .command("stub-model")
    .description("serve a model that does what the script in a prompt says, to try agents without a network or a key")
    .option("--port <n>", "0: any that is free", port, USUAL_PORT)
    .action(async (given: { port: number }) => {
      const { startStubModel } = await import("../../stub-model/index.ts");
      const model = await startStubModel(given).catch((error) => {
        throw named(error, given.port);
      });
      leaveWith(() => model.close());
      process.stdout.write(welcome(model.url));
    });
}

/** The problem in words of the command line. */
function named(error: unknown, port: number): unknown {
  if (!(error instanceof DragomanError) || error.code !== "conflict") return error;
  const message = `Port ${port} is taken, perhaps by a stub model that runs already. Give another --port, or 0 for any free one.`;
  return new DragomanError("conflict", message, undefined, { cause: error });
}

function welcome(url: string): string {
  return `The stub model listens at ${url} and does what a prompt says in [[double brackets]].

Copilot:
  DRAGOMAN_COPILOT_BASE_URL=${url}/v1 DRAGOMAN_COPILOT_MODEL=stub-model dragoman run --engine copilot "Make a file [[write a.txt hello]]"
Other agents, by their own variables:
  Copilot CLI  COPILOT_OFFLINE=true COPILOT_PROVIDER_BASE_URL=${url}/v1 COPILOT_MODEL=stub-model
  Claude       ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=stub
  Gemini CLI   GOOGLE_GEMINI_BASE_URL=${url} GEMINI_API_KEY=stub
  Codex and opencode take a file or a longer variable: see docs/stub-model.md
Without an agent:
  curl ${url}/v1/chat/completions -d '{"messages":[{"role":"user","content":"[[say Good morning]]"}]}'
Ctrl-c ends it.
`;
}
