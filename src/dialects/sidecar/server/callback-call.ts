import type { Clock } from "../../../core/clock.ts";
import type { ToolAnswer } from "../../../core/engine.ts";
import { DragomanError, messageOf } from "../../../core/errors.ts";
import type { ClientTools, EventOf } from "../../../core/events.ts";
import { findLast } from "../../../core/landmarks.ts";
import { isMasked } from "../../../core/redactor.ts";
import { schemaProblems } from "../../../core/schema-problems.ts";
import type { Store } from "../../../core/store.ts";
import { asksPerson } from "../../question.ts";
import { requests } from "../calls.ts";
import { coreResult, wireCall } from "../tool-names.ts";
import type { Post, Posted } from "./post.ts";
import { isSignedReply, signedHeaders } from "./signature.ts";

/** Before the second try, the third and so on. */
const PAUSES_MS = [250, 500, 1000, 2000];

export type Callback = NonNullable<ClientTools["callback"]>;

export interface CallbackCall {
  sessionId: string;
  ask: EventOf<"ask.opened">;
  callback: Callback;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

interface Surroundings {
  store: Store;
  clock: Clock;
  post: Post;
  allowedHosts: readonly string[];
  callbackKey(tokenId: string): Buffer | undefined;
}

/** Has the plugin execute a tool: what its answer to the ask is. What goes wrong on the way is an answer, too, and never a no. */
export async function callPlugin(around: Surroundings, call: CallbackCall): Promise<ToolAnswer> {
  try {
    const { tool = "", callId = call.ask.askId } = call.ask;
    const key = around.callbackKey(call.callback.token);
    if (!key) throw failed("The token of the session's callback is gone. Set the callback anew with session.update.");
    const { toolName, args } = wireCall(tool, await wholeArgs(around.store, call));
    const body = JSON.stringify({
      sessionId: call.sessionId,
      toolName,
      callId,
      args: args ?? {},
      requiresApproval: asksPerson(call.ask),
    });
    const posted = await postUntilReached(around, call, key, body);
    return answerIn(posted, call, key, callId);
  } catch (error) {
    return { success: false, denied: false, error: error instanceof DragomanError ? error.message : unforeseen(error) };
  }
}

/**
 * What no byte came back to is sent again. It may have been taken in all the same: the plugin knows a call by its id, and does it
 * once however often it comes.
 */
async function postUntilReached(around: Surroundings, call: CallbackCall, key: Buffer, body: string): Promise<Posted> {
  const { clock, post, allowedHosts } = around;
  const { callback, signal } = call;
  const { url } = callback;
  for (let tries = 0; ; tries++) {
    const posted = await post({ url, body, headers: signedHeaders(key, clock.now(), body), allowedHosts, signal });
    const pause = PAUSES_MS[tries];
    if (posted.outcome !== "unreachable" || pause === undefined || signal.aborted) return posted;
    await passed(clock, pause, signal);
  }
}

/** Resolves after that time, or at once when it is called off. */
function passed(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const callOff = clock.after(ms, done);
    signal.addEventListener("abort", done, { once: true });
    function done() {
      callOff();
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}

function answerIn(posted: Posted, { ask, callback }: CallbackCall, key: Buffer, callId: string): ToolAnswer {
  const where = `The plugin at ${new URL(callback.url).origin}`;
  if (posted.outcome === "unreachable") {
    throw failed(`${where} could not be reached (${posted.why}). Start it, then ask again.`);
  }
  if (posted.outcome === "failed") {
    const why = posted.why.replace(/\.$/, "");
    throw failed(`${where} gave no reply that can be used: ${why}. See what it did before you ask again.`);
  }
  const { status, signature, body, json } = posted;
  if (status < 200 || status > 299) {
    throw failed(`${where} answered with the HTTP status ${status}. Look for the reason there, then ask again.`);
  }
  if (callback.signedReplies && !isSignedReply(key, callId, body, signature)) {
    const advice = "Sign replies with the session's token, or set signedReplies to false with session.update.";
    throw failed(`${where} did not sign its reply as agreed, so it does not count. ${advice}`);
  }
  const reply = requests["tool-callback"].result.safeParse(json);
  if (!reply.success) {
    const problems = schemaProblems(reply.error).replaceAll("\n", "; ");
    throw failed(`${where} gave a reply of another form (${problems}). It replies {"success", "result" or "error"}.`);
  }
  const { success, result, error, userMessage, denied } = reply.data;
  return { success, result: coreResult(ask.tool ?? "", result), error, userMessage, denied };
}

/** Large ones are in an artifact. With a secret taken out of them they would have the plugin do something else. */
async function wholeArgs(store: Store, { sessionId, ask }: CallbackCall): Promise<unknown> {
  const name = `args of ${ask.askId}`;
  const kept = ask.truncated
    ? await findLast(store, sessionId, "artifact.created", (artifact) => artifact.name === name)
    : undefined;
  const args = kept ? await artifact(store, sessionId, kept) : ask.args;
  if (!isMasked(args)) return args;
  throw failed("The arguments have a secret in them that is not kept, so the plugin cannot be given them.");
}

async function artifact(
  store: Store,
  sessionId: string,
  { artifactId, kind }: EventOf<"artifact.created">,
): Promise<unknown> {
  const bytes = await store.artifact(sessionId, artifactId);
  if (!bytes) throw failed("The arguments of the call are not kept any more.");
  const text = Buffer.from(bytes).toString();
  return kind === "json" ? JSON.parse(text) : text;
}

const unforeseen = (error: unknown) =>
  `The call of the plugin went wrong here: ${messageOf(error)}. See what the plugin did before you ask again.`;

const failed = (message: string) => new DragomanError("tool_failed", message);
