import { stat } from "node:fs/promises";
import { type Clock, systemClock } from "../../core/clock.ts";
import { DragomanError, messageOf } from "../../core/errors.ts";
import type { Supervise } from "../../core/supervision.ts";
import { agentEnvironment, gitSafeguards } from "../agent-environment.ts";
import { type AgentProcess, startAgentProcess } from "../agent-process.ts";
import { unlessAborted } from "../unless-aborted.ts";
import type { AcpOptions } from "./acp-options.ts";
import { AcpAgent } from "./agent.ts";
import { Choices } from "./choices.ts";
import { AcpConnection } from "./connection.ts";
import { AgentError, failureOf } from "./failures.ts";
import { openSession } from "./open-session.ts";
import { Switchboard } from "./switchboard.ts";
import { LATE, within } from "./waiting.ts";
import { type Initialized, initializedSchema } from "./wire.ts";

/** How long an agent may take for each of its answers until it is ready. */
export const START_MS = 60_000;
const PROTOCOL = 1;

const capabilities = {
  // It uses tools of its own, and asks before it does.
  fs: { readTextFile: false, writeTextFile: false },
  terminal: false,
  // What would else be said as part of an answer.
  session: { notices: {} },
};

export interface Start {
  workspace: string;
  /** The session that it is to go on with. */
  agentSession: string | undefined;
  supervise: Supervise;
  signal: AbortSignal;
}

/** Starts an agent and opens its session. Throws an `AgentCrash` where another try may help. */
export async function startAgent(options: AcpOptions, start: Start): Promise<AcpAgent> {
  const process = await startProgram(options, start);
  try {
    return await unlessAborted(start.signal, begin(process, options, start));
  } catch (error) {
    await process.end();
    throw error;
  }
}

async function startProgram(options: AcpOptions, { workspace, supervise, signal }: Start): Promise<AgentProcess> {
  const { command, passEnv = [], env = {}, howToInstall } = options;
  await checkFolder(workspace);
  signal.throwIfAborted();
  const title = [command.file, ...command.args].join(" ");
  try {
    const safeguards = options.trusted ? {} : await gitSafeguards(workspace);
    const variables = { ...agentEnvironment(passEnv, env), ...safeguards };
    return await startAgentProcess({ ...command, cwd: workspace, env: variables, title }, supervise);
  } catch (error) {
    const text = howToInstall ? `${messageOf(error)} ${howToInstall}` : messageOf(error);
    throw new DragomanError("engine_unavailable", text);
  }
}

/** The system says of a program that it is not there when its folder is not. */
async function checkFolder(workspace: string): Promise<void> {
  const folder = await stat(workspace).catch(() => undefined);
  if (folder?.isDirectory()) return;
  throw new DragomanError(
    "engine_failed",
    `The workspace ${workspace} is gone. Bring it back, or start a session elsewhere.`,
  );
}

async function begin(process: AgentProcess, options: AcpOptions, start: Start): Promise<AcpAgent> {
  const { clock = systemClock, mode, howToLogIn } = options;
  const title = options.title ?? options.name;
  const board = new Switchboard(title);
  const connection = await AcpConnection.open(process, board);
  const soon = <T>(work: Promise<T>) => inTime(connection, work, clock);
  const about = await soon(initialize(connection, title));
  try {
    const { id, opened, forgot } = await soon(
      openSession({ connection, about, board, clock, meta: options.sessionMeta, ...start }),
    );
    const choices = new Choices(title, id, opened);
    const agent = new AcpAgent({ title, connection, about, board, choices, clock, sessionId: id, start, howToLogIn });
    if (forgot !== undefined) board.note({ level: "warning", text: forgotten(title, forgot) });
    if (mode !== undefined) await soon(agent.choose(choices.choosingMode(mode)));
    board.opened(id, agent);
    const warning = choices.warning();
    if (warning) board.note({ level: "warning", text: warning });
    return agent;
  } catch (error) {
    throw error instanceof AgentError ? failureOf(title, error, { ...about, howToLogIn }) : error;
  }
}

const forgotten = (title: string, why: string) =>
  `${title} does not remember what was said in this session before: ${why.replace(/[.\s]+$/, "")}. It begins anew.`;

async function initialize(connection: AcpConnection, title: string): Promise<Initialized> {
  const clientInfo = { name: "dragoman", title: "Dragoman", version: "0" };
  const params = { protocolVersion: PROTOCOL, clientInfo, clientCapabilities: capabilities };
  try {
    const { data } = initializedSchema.safeParse(await connection.request("initialize", params));
    if (data?.protocolVersion === PROTOCOL) return data;
    const other = data ? `version ${data.protocolVersion} of the protocol` : "another protocol";
    throw new DragomanError("engine_unavailable", `${title} speaks ${other}, and Dragoman version ${PROTOCOL} of ACP.`);
  } catch (error) {
    throw error instanceof AgentError ? failureOf(title, error) : error;
  }
}

/** One that does not answer has as good as crashed. */
async function inTime<T>(connection: AcpConnection, work: Promise<T>, clock: Clock): Promise<T> {
  const done = await within(START_MS, work, clock);
  if (done !== LATE) return done;
  throw await connection.crash(`gave no answer within ${START_MS / 1000} s`);
}
