import type { Clock } from "../../core/clock.ts";
import type { AcpConnection } from "./connection.ts";
import { AgentError, wordsOf } from "./failures.ts";
import type { Switchboard } from "./switchboard.ts";
import { type Initialized, type Opened, openedSchema } from "./wire.ts";

/** Gemini goes on to tell the history of a session that it has loaded after it has said that it has. */
const QUIET_MS = 100;
const LONGEST_HISTORY_MS = 3000;

export interface OpenedSession {
  id: string;
  opened: Opened;
  /** Why the agent does not remember the session that it was to go on with. */
  forgot?: string;
}

interface Opening {
  connection: AcpConnection;
  about: Initialized;
  board: Switchboard;
  workspace: string;
  agentSession: string | undefined;
  meta: Record<string, unknown> | undefined;
  clock: Clock;
}

/** Goes on with the session that there was, as far as the agent can, or begins one. */
export async function openSession(opening: Opening): Promise<OpenedSession> {
  const { agentSession } = opening;
  if (agentSession === undefined) return begin(opening);
  const method = wayBack(opening.about);
  if (!method) return begin(opening, "it cannot load sessions");
  try {
    return await goOn(opening, method, agentSession);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return begin(opening, wordsOf(error).split("\n")[0]);
  }
}

/** A session that is resumed is not told again from its beginning. */
function wayBack({ agentCapabilities }: Initialized): "session/resume" | "session/load" | undefined {
  if (agentCapabilities?.sessionCapabilities?.resume) return "session/resume";
  return agentCapabilities?.loadSession ? "session/load" : undefined;
}

async function goOn(opening: Opening, method: string, sessionId: string): Promise<OpenedSession> {
  const { connection, board, clock } = opening;
  const answer = await connection.request(method, { sessionId, ...settingOf(opening) });
  if (method === "session/load") await board.quiet(QUIET_MS, LONGEST_HISTORY_MS, clock);
  return { id: sessionId, opened: openedSchema.safeParse(answer ?? {}).data ?? {} };
}

async function begin(opening: Opening, forgot?: string): Promise<OpenedSession> {
  const answer = await opening.connection.request("session/new", settingOf(opening));
  const { data: opened } = openedSchema.safeParse(answer);
  if (!opened?.sessionId) throw new AgentError(0, "it began a session without an id", undefined);
  return { id: opened.sessionId, opened, ...(forgot === undefined ? {} : { forgot }) };
}

const settingOf = ({ workspace, meta }: Opening) => ({
  cwd: workspace,
  mcpServers: [],
  ...(meta === undefined ? {} : { _meta: meta }),
});
