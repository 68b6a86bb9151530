import type { KnownNode } from "../core/nodes.ts";
import { mayBeRunning, thisHost } from "../core/process-identity.ts";
import type { ProcessRecord } from "../core/process-records.ts";
import type { ExaminedSession, StoreFacts } from "../stores/sqlite-examine.ts";
import { BY_MEND, type Finding, ok, problem, warning } from "./doctor-finding.ts";
import { count, duration, oneLine, shortId } from "./terminal/wording.ts";
import { where } from "./where.ts";

const MOST_NAMED = 5;

/** Who shares the log, and what became of those who do not any more. */
export function examineNodes(facts: StoreFacts, version: string, now: number): Finding[] {
  return [
    ...states(facts, version, now),
    ...interrupted(facts),
    ...unanswerable(facts),
    ...letters(facts),
    ...leftovers(facts),
  ];
}

/** Those that are gone may be many. */
function states(facts: StoreFacts, version: string, now: number): Finding[] {
  const gone = facts.nodes.filter(({ state }) => state === "gone");
  const more = gone.slice(MOST_NAMED);
  const shown = [...facts.nodes.filter(({ state }) => state !== "gone"), ...gone.slice(0, MOST_NAMED)];
  const others = `${count(more.length, "more process", "more processes")} ended without a word.`;
  return [
    ...shown.flatMap((node) => stateOfNode(node, facts, version, now)),
    ...(more.length > 0 ? [warning("process", others, `${BY_MEND} forgets them.`)] : []),
  ];
}

function stateOfNode(node: KnownNode, { busy }: StoreFacts, version: string, now: number): Finding[] {
  const owned = busy.filter(({ owner }) => owner === node.node);
  const has = owned.length > 0 ? `, has ${count(owned.length, "session")}` : "";
  const about = `${where(node)}, version ${oneLine(node.version)}${has}`;
  const seen = `last heard of ${duration(Math.max(0, now - node.seenAt))} ago`;
  if (node.state === "gone") {
    return [
      warning(
        "process",
        `${about}: ended without a word, ${seen}.`,
        `Whoever opens its sessions takes them over. ${BY_MEND} forgets it.`,
      ),
    ];
  }
  if (node.state === "silent") {
    const end = node.host === thisHost() ? `If it hangs, end it: kill -9 ${node.pid}. ` : ""; // elsewhere it is another's pid
    const mend = `${end}Its sessions can be opened elsewhere all the same.`;
    return [warning("process", `${about}: is there, but says nothing; ${seen}.`, mend)];
  }
  if (node.version === version) return [ok("process", `${about}: alive`)];
  return [
    warning(
      "process",
      `${about}: alive, but this is version ${version}.`,
      "Restart it, so that all are of one version.",
    ),
  ];
}

const isLiving = ({ nodes }: StoreFacts, node: string | undefined) =>
  nodes.some((known) => known.node === node && known.state !== "gone");

const named = (sessions: ExaminedSession[]) => {
  const ids = sessions.slice(0, MOST_NAMED).map(({ sessionId }) => shortId(sessionId));
  return [...ids, ...(sessions.length > MOST_NAMED ? [`${sessions.length - MOST_NAMED} more`] : [])].join(", ");
};

const opening = (sessions: ExaminedSession[]) =>
  sessions
    .slice(0, MOST_NAMED)
    .map(({ sessionId }) => `dragoman watch ${shortId(sessionId)}`)
    .join("; ");

/** Runs and queues of which nobody who lives takes care. Those that ask something, or that someone has before them, are not among them. */
function interrupted(facts: StoreFacts): Finding[] {
  const lost = facts.busy.filter(({ owner }) => !isLiving(facts, owner));
  const isWatched = ({ sessionId }: ExaminedSession) =>
    facts.presence.some((one) => one.sessionId === sessionId && isLiving(facts, one.node));
  const underWay = lost.filter(({ run }) => run === "running" || run === "cancelling");
  const running = underWay.filter((session) => session.asks.length === 0 && !isWatched(session));
  const waiting = lost.filter((session) => session.queued > 0 && !underWay.includes(session));
  return [
    ...(running.length === 0
      ? []
      : [
          warning(
            "session",
            `${count(running.length, "run was", "runs were")} interrupted: ${named(running)}.`,
            running.length === 1
              ? `Open it, and it is brought to its end: ${opening(running)}`
              : `Open them, and they are brought to their ends: ${opening(running)}`,
          ),
        ]),
    ...(waiting.length === 0
      ? []
      : [
          warning(
            "session",
            `Runs wait in a queue that nobody works on: ${named(waiting)}.`,
            `They start with the next run: dragoman run --session ${shortId(waiting[0]?.sessionId ?? "")} "<prompt>"`,
          ),
        ]),
  ];
}

/** Asks that no living process could put to anybody. */
function unanswerable(facts: StoreFacts): Finding[] {
  return facts.busy.flatMap(({ sessionId, owner, asks }) =>
    asks.flatMap(({ kind, title }) => {
      const isHeard = facts.presence.some(
        (one) => one.sessionId === sessionId && one.kind === kind && isLiving(facts, one.node),
      );
      if (isHeard) return [];
      const [who, then] = isLiving(facts, owner)
        ? ["nobody is there to give it", "Answer it"]
        : ["its process is gone", "Answer it, and it goes on where you do"];
      const text = `${shortId(sessionId)} waits for an answer, and ${who}: ${oneLine(title)}`;
      return [warning("session", text, `${then}: dragoman watch ${shortId(sessionId)}`)];
    }),
  );
}

function letters(facts: StoreFacts): Finding[] {
  const stuck = facts.letters.filter(({ to, answered }) => !answered && !isLiving(facts, to));
  if (stuck.length === 0) return [];
  const text = `${count(stuck.length, "command waits", "commands wait")} for a process that is gone.`;
  return [
    warning(
      "mailbox",
      text,
      `Whoever sent it gives up after some seconds, and is told so. ${BY_MEND} clears up after those who are gone.`,
    ),
  ];
}

/** What nodes that are gone had started. */
export function leftBehind({ nodes, processes }: Pick<StoreFacts, "nodes" | "processes">): ProcessRecord[] {
  const living = new Set(nodes.filter(({ state }) => state !== "gone").map(({ node }) => node));
  return processes.filter(({ node }) => !living.has(node));
}

function leftovers(facts: StoreFacts): Finding[] {
  const left = leftBehind(facts);
  const running = left.filter(
    ({ host, pid, startedAt = "" }) => pid !== undefined && mayBeRunning({ host, pid, startedAt }),
  );
  if (running.length > 0) {
    const names = running.slice(0, MOST_NAMED).map(({ title, pid }) => `${oneLine(title)} (pid ${pid})`);
    return [
      problem(
        "tool",
        `Still running, though the process that started it is gone: ${names.join(", ")}.`,
        `End it: ${BY_MEND}`,
      ),
    ];
  }
  if (left.length === 0) return [];
  const text = `${count(left.length, "tool was", "tools were")} running when a process ended without a word.`;
  return [warning("tool", text, `To make sure that nothing of it is left: ${BY_MEND}`)];
}
