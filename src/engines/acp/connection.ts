import type { ClientConnection, ContentBlock } from "@agentclientprotocol/sdk";
import { atMost } from "../../core/at-most.ts";
import type { AgentExit, AgentProcess } from "../agent-process.ts";
import { AgentCrash, AgentError, howItEnded } from "./failures.ts";
import { LastWords } from "./last-words.ts";
import { messageStream } from "./message-stream.ts";
import { type PermissionRequest, permissionSchema, type Update, updateSchema } from "./wire.ts";

/** How long the end of a process may come after the end of its output, and the end of its output after its own. */
const EXIT_MS = 500;

export type PermissionOutcome = { outcome: "selected"; optionId: string } | { outcome: "cancelled" };

export interface Listener {
  update(sessionId: string, update: Update): Promise<void>;
  permission(request: PermissionRequest): Promise<PermissionOutcome>;
  stray(line: string): void;
}

/** One running agent that is spoken to. Everything that it answers with is as it came: whoever asks looks at it. */
export class AcpConnection {
  readonly process: AgentProcess;
  readonly #sdk: ClientConnection;
  readonly #lastWords: LastWords;
  #closed = false;
  #exit: AgentExit | undefined;

  private constructor(process: AgentProcess, sdk: ClientConnection, lastWords: LastWords) {
    this.process = process;
    this.#sdk = sdk;
    this.#lastWords = lastWords;
    void sdk.closed.then(() => {
      this.#closed = true;
      void process.end().catch(() => {}); // with whatever it leaves behind
    });
    // What it said last is heard, unless something that it started keeps its pipe open.
    void process.exited.then(async (exit) => {
      this.#exit = exit;
      await atMost(EXIT_MS, sdk.closed);
      sdk.close();
    });
  }

  static async open(process: AgentProcess, listener: Listener): Promise<AcpConnection> {
    // Loading it takes a while, which only those pay who use it.
    const { client, methods, RequestError } = await import("@agentclientprotocol/sdk");
    const lastWords = new LastWords(process.stderr);
    const stream = messageStream(process.stdin, process.stdout, {
      onStray: (line) => {
        lastWords.addStray(line);
        listener.stray(line);
      },
      onUpdate: async (params) => {
        const { data } = updateSchema.safeParse(params);
        if (data) await listener.update(data.sessionId, data.update);
      },
    });
    const app = client({ name: "dragoman" }).onRequest(
      methods.client.session.requestPermission,
      (params: unknown) => {
        const { data } = permissionSchema.safeParse(params);
        if (!data) throw RequestError.invalidParams();
        return data;
      },
      async ({ params }) => ({ outcome: await listener.permission(params) }),
    );
    return new AcpConnection(process, app.connect(stream), lastWords);
  }

  get closed(): boolean {
    return this.#closed || this.#exit !== undefined;
  }

  /** Rejects with what the agent said, or with how it ended. */
  async request(method: string, params: unknown): Promise<unknown> {
    try {
      return await this.#sdk.agent.request(method, params);
    } catch (error) {
      if (isAnswer(error)) throw new AgentError(error.code, error.message, error.data);
      throw await this.crash();
    }
  }

  prompt(sessionId: string, prompt: ContentBlock[]): Promise<unknown> {
    return this.request("session/prompt", { sessionId, prompt });
  }

  /** It never throws: an agent that is gone is cancelled as well. */
  cancel(sessionId: string): void {
    void this.#sdk.agent.notify("session/cancel", { sessionId }).catch(() => {});
  }

  async crash(how?: string): Promise<AgentCrash> {
    await atMost(
      EXIT_MS,
      this.process.exited.then(() => {}),
    );
    return new AgentCrash(how ?? howItEnded(this.#exit), this.#lastWords.text);
  }

  async end(graceMs?: number): Promise<void> {
    this.#sdk.close();
    await this.process.end(graceMs);
  }
}

interface Answer {
  code: number;
  message: string;
  data: unknown;
}

/** The error of an answer; any other is one of the connection. */
function isAnswer(error: unknown): error is Answer {
  return error instanceof Error && error.name === "RequestError" && "code" in error && typeof error.code === "number";
}
