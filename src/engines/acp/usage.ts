import type { Emitted } from "../../core/engine.ts";
import type { Prompted, Tokens } from "./wire.ts";

/**
 * The protocol calls tokens the total of all turns of a session, and that is what Copilot CLI gives; Claude, Codex and Gemini give those
 * of the turn, opencode those of its last answer. Nothing in a message tells which it is.
 */
const countsOn = /copilot/i;

interface Spent {
  input: number;
  output: number;
}

const nothing: Spent = { input: 0, output: 0 };

/** What an agent's session has taken so far, as far as the agent tells; and of it, what a run has. */
export class Usage {
  readonly #isTotal: boolean;
  #context = { used: 0, size: 0 };
  /** As the agent counts, since it was started. */
  #cost = 0;
  #total = nothing;
  #run = nothing;
  #costBefore: number | undefined = 0;
  #hasCost = false;

  /** What a session cost before that is gone on with, the agent may count in or not: the first run of it has no cost. */
  constructor(agentName: string, isGoneOnWith: boolean) {
    this.#isTotal = countsOn.test(agentName);
    if (isGoneOnWith) this.#costBefore = undefined;
  }

  beginRun(): void {
    this.#run = nothing;
    if (this.#costBefore !== undefined) this.#costBefore = this.#cost;
    this.#hasCost = false;
  }

  /** The context as it is now, and what the whole session has cost. */
  update(used: number, size: number, cost?: number): void {
    this.#context = { used, size };
    if (cost === undefined) return;
    this.#hasCost = this.#costBefore !== undefined;
    if (this.#costBefore === undefined) this.#costBefore = cost;
    if (cost < this.#costBefore) this.#costBefore = 0; // it has begun to count anew
    this.#cost = cost;
  }

  /** A run may have several turns. False where the agent does not tell. */
  endTurn({ usage, _meta }: Prompted): boolean {
    const count = _meta?.quota.token_count;
    const spent = usage
      ? spentOf(usage)
      : count
        ? { input: count.input_tokens, output: count.output_tokens }
        : undefined;
    if (!spent) return false;
    const isNew = !this.#isTotal || spent.input < this.#total.input || spent.output < this.#total.output;
    const before = isNew ? nothing : this.#total;
    this.#run = {
      input: this.#run.input + spent.input - before.input,
      output: this.#run.output + spent.output - before.output,
    };
    this.#total = spent;
    return true;
  }

  event(): Emitted {
    const { used, size } = this.#context;
    const cost = this.#hasCost ? { cost: Math.max(0, this.#cost - (this.#costBefore ?? this.#cost)) } : {};
    return { type: "usage.updated", contextUsed: used, contextSize: size, ...this.#run, ...cost };
  }
}

/** Whether the agent says that no model was asked anything. */
export function tookNothing({ usage, _meta }: Prompted): boolean {
  const count = _meta?.quota.token_count;
  if (count) return count.input_tokens === 0 && count.output_tokens === 0;
  return usage === null || (usage !== undefined && spentOf(usage).input === 0 && spentOf(usage).output === 0);
}

/** Some count what came from a cache as input, others beside it: the total tells. The same with what was thought. */
function spentOf({ inputTokens, outputTokens, totalTokens, ...beside }: Tokens): Spent {
  const cached = (beside.cachedReadTokens ?? 0) + (beside.cachedWriteTokens ?? 0);
  const thought = beside.thoughtTokens ?? 0;
  const apart = (totalTokens ?? 0) - inputTokens - outputTokens;
  const withCached = apart >= cached ? cached : 0;
  return {
    input: inputTokens + withCached,
    output: outputTokens + (apart - withCached >= thought ? thought : 0),
  };
}
