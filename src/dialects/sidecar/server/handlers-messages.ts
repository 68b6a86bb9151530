import { DragomanError } from "../../../core/errors.ts";
import { may } from "../../../core/roles.ts";
import { withoutAllow } from "../../../core/rules.ts";
import { isUnderWay } from "../../../core/summary.ts";
import { checkModel } from "../../models.ts";
import { messageRules } from "../permissions.ts";
import { answerTo } from "./approval.ts";
import { checkPermissions, type HandlerOptions, originOf, type SidecarHandlers } from "./handler-options.ts";

type Handled = "session.send" | "session.stream" | "session.approve" | "session.cancel";

const streamOf = (sessionId: string) => `/stream/${sessionId}`;

export function messageHandlers(options: HandlerOptions): Pick<SidecarHandlers, Handled> {
  const { services, sessions, caller } = options;
  return {
    "session.send": sendHandler(options),
    "session.stream": async ({ sessionId, lastEventId }) => {
      await sessions.open(sessionId, caller);
      const after = lastEventId === undefined ? "" : `?lastEventId=${lastEventId}`;
      return { streamUrl: streamOf(sessionId) + after };
    },
    "session.approve": async (given, call) => {
      const { session, summary } = await sessions.open(given.sessionId, caller);
      const { askId, answer } = await answerTo(services.runtime.store, summary, given);
      await session.answer(askId, answer, originOf(caller, call));
      return { accepted: true };
    },
    "session.cancel": async ({ sessionId, messageId, reason }, call) => {
      const { session, summary } = await sessions.open(sessionId, caller);
      const runId = messageId ?? (isUnderWay(summary) ? summary.run?.runId : undefined);
      if (runId === undefined) return { cancelled: false };
      const by = originOf(caller, call);
      const { accepted, status } = await session.cancel(runId, reason ?? "cancelled by the user", by);
      return { cancelled: accepted || status === "cancelled" };
    },
  };
}

function sendHandler(options: HandlerOptions): SidecarHandlers["session.send"] {
  const { services, sessions, listeners, callbacks, sent, caller } = options;
  return async ({ sessionId, prompt, context, model, permissions, messageId }, call) => {
    if (prompt.trim() === "") throw new DragomanError("invalid_params", "The prompt is empty. Say what to do.");
    checkPermissions(permissions, caller);
    const { session, summary } = await sessions.open(sessionId, caller);
    await checkModel(services.runtime, summary.engine, model);
    await callbacks.takeUp(session, summary);
    const leave = may(caller, "approve") ? listeners.add(session) : () => {}; // the run may ask before anyone listens
    const rules = permissions && messageRules(permissions, summary.rules);
    try {
      const runId = await sent.once(session, messageId, {
        kind: "prompt",
        input: { text: prompt, ...(context && { context: context.map(asContext) }) },
        by: originOf(caller, call),
        model,
        rules: may(caller, "approve") ? rules : withoutAllow(rules),
        whenBusy: "queue",
      });
      return { messageId: runId, streamUrl: streamOf(sessionId) };
    } finally {
      leave();
    }
  };
}

interface Snippet {
  file: string;
  startLine?: number;
  endLine?: number;
  content?: string;
  symbol?: string;
}

const asContext = ({ file: path, startLine, endLine, content, symbol }: Snippet) => ({
  path,
  startLine,
  endLine,
  content,
  symbol,
});
