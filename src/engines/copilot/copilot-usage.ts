import type { EngineIO } from "../../core/engine.ts";

interface ModelCall {
  inputTokens?: number;
  outputTokens?: number;
  maxPromptTokens?: number;
}

/**
 * What the run has used: the context as it is, and the sum of all calls of a model, those of sub-agents too. What Copilot calls the cost of
 * one is no money, but by how much a model counts towards a subscription.
 */
export class CopilotUsage {
  readonly #io: EngineIO;
  #context: { used: number; size: number } | undefined;
  #input = 0;
  #output = 0;

  constructor(io: EngineIO) {
    this.#io = io;
  }

  context(used: number, size: number): void {
    this.#context = { used, size };
  }

  async add({ inputTokens = 0, outputTokens = 0, maxPromptTokens = 0 }: ModelCall): Promise<void> {
    this.#input += inputTokens;
    this.#output += outputTokens;
    const { used, size } = this.#context ?? { used: inputTokens, size: maxPromptTokens };
    await this.#io.emit({
      type: "usage.updated",
      contextUsed: used,
      contextSize: size,
      input: this.#input,
      output: this.#output,
    });
  }
}
