import { expect } from "vitest";
import type { WebSocket } from "ws";
import { DragomanError } from "../core/errors.ts";
import type { SocketRoute } from "../transports/http/route.ts";
import type { MadeSessions, MadeVersion } from "./preview-sessions.ts";

interface Params {
  sessionId: string;
  version: number;
  from: number;
  to: number;
  prompt: string;
  title: string;
  history: { role: string; content: string }[];
  context: { sessionId: string };
}

/** Whoever asked for it, and which one was changed or gone back to. */
type ListedVersion = MadeVersion & { by?: string; of?: number };

/** What a customization is answered with: the new code, or a question. */
export type Customize = (asked: {
  prompt: string;
  history: { role: string; content: string }[];
  code: string;
}) => Customized | Promise<Customized>;

type Customized =
  | { code: string; description: string; assumptions?: string[] }
  | { question: string; options: string[] };

/** An interface that shows that text. */
export const showing = (text: string) => `export default function Shown() { return <h1>${text}</h1>; }`;

/** Shows what was asked for. */
export const changed: Customize = ({ prompt }) => ({ code: showing(prompt), description: `Done: ${prompt}` });

/** Answers that are given when the test says so, in the order in which they were asked for. */
export function heldCustomize() {
  const waiting: (() => void)[] = [];
  const asked: { prompt: string; history: { role: string; content: string }[] }[] = [];
  const customize: Customize = async (about) => {
    asked.push({ prompt: about.prompt, history: about.history });
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (about.prompt.startsWith("fail")) throw new Error(`I cannot ${about.prompt}.`);
    return changed(about);
  };
  const next = async () => {
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.();
  };
  return { customize, asked, next };
}

type Call = (params: Params, by: string) => unknown;

interface MadeStudio extends SocketRoute {
  /** Cuts every socket. */
  cut(): void;
  /** What people call sessions. */
  names: Map<string, string>;
}

/** As much of the `studio` protocol as the preview speaks, over sessions in memory. */
export function madeStudio(sessions: MadeSessions, customize: Customize): MadeStudio {
  /** Whoever is connected, and the sessions that they watch. */
  const open = new Map<WebSocket, Set<string>>();
  const names = new Map<string, string>();
  const calls = studioCalls(sessions, names, customize);
  const toldOf = (sessionId: string, { runId, prompt, description }: MadeVersion) => {
    const place = { sessionId, runId, logSeq: 1 };
    return [
      { method: "run/started", params: { ...place, prompt } },
      { method: "run/ended", params: { ...place, status: "completed", result: { text: description, description } } },
    ];
  };
  const send = (socket: WebSocket, ...messages: object[]) => {
    for (const message of messages) socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  };
  /** What somebody else made, others are told. */
  const tellOthers = (own: WebSocket, sessionId: string, before: number) => {
    const made = sessions.all.get(sessionId)?.versions.slice(before) ?? [];
    for (const [socket, watched] of open)
      if (socket !== own && watched.has(sessionId)) send(socket, ...made.flatMap((one) => toldOf(sessionId, one)));
  };
  return {
    path: "/studio",
    access: "observe",
    names,
    cut: () => {
      for (const socket of open.keys()) socket.terminate();
    },
    accept: (socket, { caller }) => {
      const watched = new Set<string>();
      open.set(socket, watched);
      socket.on("close", () => open.delete(socket));
      socket.on("message", async (data) => {
        const { id, method, params } = JSON.parse(String(data));
        const sessionId = params.sessionId ?? params.context?.sessionId;
        const before = sessions.all.get(sessionId)?.versions.length ?? 0;
        try {
          const call = calls[method];
          if (!call) throw new DragomanError("method_not_found", method);
          send(socket, { id, result: await call(params, caller.name) });
          if (method === "session/watch") watched.add(sessionId);
          if (method === "session/watch" && params.after === 0)
            send(socket, ...toldOf(sessionId, sessions.version(sessionId, 1)));
          tellOthers(socket, sessionId, before);
        } catch (error) {
          send(socket, { id, error: { code: -32001, message: (error as Error).message } });
        }
      });
    },
  };
}

function studioCalls(sessions: MadeSessions, names: Map<string, string>, customize: Customize): Record<string, Call> {
  const latest = (sessionId: string) => sessions.version(sessionId).version;
  const add = (sessionId: string, about: Omit<ListedVersion, "version" | "at" | "runId">) =>
    sessions.addVersion(sessionId, about);
  return {
    initialize: () => ({ serverName: "dragoman", serverVersion: "0", capabilities: {} }),
    "session/list": () => ({
      sessions: [...sessions.all].map(([sessionId, { title, versions }]) => ({
        sessionId,
        title,
        versions: versions.length,
      })),
    }),
    "session/watch": ({ sessionId }) => ({ sessionId, title: names.get(sessionId) }),
    "session/update": ({ sessionId, title }) => {
      names.set(sessionId, title);
      return { sessionId, title };
    },
    "session/unwatch": () => ({ ok: true }),
    "version/list": ({ sessionId }) => ({ versions: sessions.all.get(sessionId)?.versions.map(listed) ?? [] }),
    "version/get": ({ sessionId, version }) => {
      const found = sessions.version(sessionId, version);
      return { ...listed(found), code: found.code };
    },
    "version/diff": ({ sessionId, from, to }) => ({ diff: sessions.diff(sessionId, from, to) }),
    "version/revert": ({ sessionId, version }, by) => {
      const { code } = sessions.version(sessionId, version);
      const description = `Back to version ${version}.`;
      const made = add(sessionId, { kind: "rollback", prompt: "Revert", description, code, by, of: version });
      return { code, description, version: made.version };
    },
    customize: async ({ prompt, history, context: { sessionId } }, by) => {
      const of = latest(sessionId);
      const made = await customize({ prompt, history, code: sessions.version(sessionId).code });
      if ("question" in made) return { code: null, clarificationNeeded: true, ...made };
      const { code, description, assumptions = [] } = made;
      const { version } = add(sessionId, { kind: "customization", prompt, code, description, assumptions, by, of });
      return { code, description, assumptions, clarificationNeeded: false, version };
    },
    cancel: () => ({ ok: true, status: "cancelled" }),
  };
}

/** What the wire has of it. */
function listed({ version, kind, at, prompt, description, runId, assumptions, of, by }: ListedVersion) {
  return { version, kind, at, prompt, description, runId, assumptions, of, by };
}
