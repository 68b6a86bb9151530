import type { WebSocket } from "ws";
import { DragomanError } from "../core/errors.ts";
import type { SocketRoute } from "../transports/http/route.ts";
import type { MadeSessions } from "./preview-sessions.ts";

interface Params {
  sessionId: string;
  version: number;
  from: number;
  to: number;
  prompt: string;
  history: { role: string; content: string }[];
  context: { sessionId: string };
}

/** What a customization is answered with: the new code, or a question. */
export type Customize = (asked: {
  prompt: string;
  history: { role: string; content: string }[];
  code: string;
}) => Customized | Promise<Customized>;

type Customized =
  | { code: string; description: string; assumptions?: string[] }
  | { question: string; options: string[] };

/** As much of the `studio` protocol as the preview speaks, over sessions in memory. */
export function madeStudio(sessions: MadeSessions, customize: Customize): SocketRoute & { cut(): void } {
  const open = new Set<WebSocket>();
  const calls: Record<string, (params: Params) => unknown> = {
    initialize: () => ({ serverName: "dragoman", serverVersion: "0", capabilities: {} }),
    "session/list": () => ({
      sessions: [...sessions.all].map(([sessionId, { title, versions }]) => ({
        sessionId,
        title,
        versions: versions.length,
      })),
    }),
    "session/watch": ({ sessionId }) => ({ sessionId, title: sessions.all.get(sessionId)?.title }),
    "session/unwatch": () => ({ ok: true }),
    "version/list": ({ sessionId }) => ({
      versions: sessions.all.get(sessionId)?.versions.map(({ code: _, ...version }) => version) ?? [],
    }),
    "version/get": ({ sessionId, version }) => sessions.version(sessionId, version),
    "version/diff": ({ sessionId, from, to }) => ({ diff: sessions.diff(sessionId, from, to) }),
    "version/revert": ({ sessionId, version }) => {
      const { code } = sessions.version(sessionId, version);
      const description = `Back to version ${version}.`;
      return sessions.addVersion(sessionId, { kind: "rollback", prompt: "Revert", description, code });
    },
    customize: async ({ prompt, history, context }) => {
      const { sessionId } = context;
      const made = await customize({ prompt, history, code: sessions.version(sessionId).code });
      if ("question" in made) return { code: null, clarificationNeeded: true, ...made };
      const { assumptions = [] } = made;
      const version = sessions.addVersion(sessionId, { kind: "customization", prompt, ...made, assumptions });
      return { ...version, clarificationNeeded: false };
    },
    cancel: () => ({ ok: true, status: "cancelled" }),
  };
  const firstRun = ({ sessionId }: Params) => {
    const { runId, prompt, description } = sessions.version(sessionId, 1);
    const place = { sessionId, runId, logSeq: 1 };
    return [
      { method: "run/started", params: { ...place, prompt } },
      { method: "run/ended", params: { ...place, status: "completed", result: { text: description, description } } },
    ];
  };
  return {
    path: "/studio",
    access: "observe",
    cut: () => {
      for (const socket of open) socket.terminate();
    },
    accept: (socket) => {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
      const send = (message: object) => socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
      socket.on("message", async (data) => {
        const { id, method, params } = JSON.parse(String(data));
        try {
          const call = calls[method];
          if (!call) throw new DragomanError("method_not_found", method);
          send({ id, result: await call(params) });
          if (method === "session/watch" && params.after === 0) for (const one of firstRun(params)) send(one);
        } catch (error) {
          send({ id, error: { code: -32001, message: (error as Error).message } });
        }
      });
    },
  };
}
