import { DragomanError, messageOf } from "../../core/errors.ts";
import type { Supervise } from "../../core/supervision.ts";
import type { ProcessTree } from "../../tools/process-tree.ts";
import type { KeptAgent } from "../kept-agents.ts";
import { type ConnectedCopilot, connectCopilot } from "./copilot-client.ts";
import { CopilotConversation, type CopilotUser } from "./copilot-conversation.ts";
import { runtimeDied } from "./copilot-failure.ts";
import type { CopilotOptions } from "./copilot-options.ts";
import { within } from "./within.ts";

const ANSWER_MS = 15_000;

/** One runtime for one session of ours, with one conversation in it. */
export class CopilotRuntime implements KeptAgent {
  readonly conversation: CopilotConversation;
  readonly #connected: ConnectedCopilot;
  #ended = false;
  /** Why it is gone, if it is. */
  #loss: DragomanError | undefined;
  readonly #waiting = new Set<(loss: DragomanError) => void>();

  static async start(options: CopilotOptions, workspace: string, supervise: Supervise): Promise<CopilotRuntime> {
    return new CopilotRuntime(options, workspace, await connectCopilot(options, workspace, supervise));
  }

  constructor(options: CopilotOptions, workspace: string, connected: ConnectedCopilot) {
    this.#connected = connected;
    const { client, process, lastWords } = connected;
    process.exited.then((exit) => this.#lose(runtimeDied(exit, lastWords())));
    const wait = <T>(answer: Promise<T>, ms = ANSWER_MS) => this.#wait(answer, ms);
    this.conversation = new CopilotConversation({ options, workspace, client, wait });
  }

  get ended(): boolean {
    return this.#ended;
  }

  get tree(): ProcessTree {
    return this.#connected.process.tree;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#connected.end();
  }

  /** Works for a run; the returned function ends that. */
  workFor(user: CopilotUser): () => void {
    this.conversation.user = user;
    return () => {
      this.conversation.leave();
      this.hold(false);
    };
  }

  /** While it is held, nothing of what it says is read, and in time it waits. */
  hold(isHeld: boolean): void {
    const { stdout } = this.#connected.process;
    if (isHeld) stdout.pause();
    else if (stdout.isPaused()) stdout.resume();
  }

  /** What the work comes to, or a failure when the runtime is gone before. */
  async unlessLost<T>(work: Promise<T>): Promise<T> {
    let tell = (_: DragomanError) => {};
    const lost = new Promise<never>((_, reject) => {
      tell = reject;
    });
    this.#waiting.add(tell);
    if (this.#loss) tell(this.#loss);
    return Promise.race([work, lost]).finally(() => this.#waiting.delete(tell));
  }

  #lose(loss: DragomanError): void {
    this.#ended = true;
    this.#loss = loss;
    for (const tell of this.#waiting) tell(loss);
  }

  /** An answer that is a no has a cause. */
  async #wait<T>(answer: Promise<T>, ms: number): Promise<T> {
    try {
      return await this.unlessLost(within(ms, answer));
    } catch (error) {
      if (error instanceof DragomanError) throw error;
      throw new DragomanError("engine_failed", `Copilot: ${messageOf(error)}`, undefined, { cause: error });
    }
  }
}
