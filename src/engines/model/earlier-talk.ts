import type { SessionLog, Turn } from "../../core/engine.ts";
import type { EventOf } from "../../core/events.ts";

/** What was asked, and what was answered. */
export interface Exchange {
  prompt: string;
  answer: string;
}

const MOST_RUNS = 100;
const LAST = { before: Number.MAX_SAFE_INTEGER, limit: MOST_RUNS };

/** Fewer than it mostly is: too little is sent rather than too much. */
const LETTERS_OF_A_TOKEN = 3;

export const tokensOf = (text: string): number => Math.ceil(text.length / LETTERS_OF_A_TOKEN);

/**
 * What was said in the session before, oldest first, as far back as the room for it goes. It is taken from the session's log: so it is the
 * same after a restart and on another node, whichever engine has answered. Of a run that came to no answer there is nothing in it.
 */
export async function earlierTalk(turn: Turn, log: SessionLog, tokens: number): Promise<Exchange[]> {
  const started = (await log.read({ ...LAST, type: "run.started" })) as EventOf<"run.started">[];
  const own = started.find(({ runId }) => runId === turn.runId);
  if (own && own.input.action !== turn.input.action) return []; // an instruction within an operation stands for itself
  const completed = (await log.read({ ...LAST, type: "run.completed" })) as EventOf<"run.completed">[];
  const answers = new Map(completed.map(({ runId, result }) => [runId, result.text]));
  const exchanges = started.flatMap(({ runId, kind, input }): Exchange[] => {
    const answer = kind === "tool" ? undefined : answers.get(runId);
    return answer && input.text ? [{ prompt: input.text, answer }] : [];
  });
  return lastWithin(tokens, exchanges);
}

function lastWithin(tokens: number, exchanges: Exchange[]): Exchange[] {
  let left = tokens;
  const from = exchanges.findLastIndex(({ prompt, answer }) => {
    left -= tokensOf(prompt) + tokensOf(answer);
    return left < 0;
  });
  return exchanges.slice(from + 1);
}
