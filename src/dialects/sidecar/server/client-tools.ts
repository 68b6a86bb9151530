import { DragomanError } from "../../../core/errors.ts";
import type { ClientTools } from "../../../core/events.ts";
import { type Caller, demand, may } from "../../../core/roles.ts";
import { callbackTarget } from "../callback-target.ts";
import { coreTool } from "../tool-names.ts";
import type { Services } from "./services.ts";

/** A person may have to think about it. */
const USUAL_TIMEOUT_MS = 10 * 60 * 1000;

/** What a plugin with a callback executes without being asked to say so. */
const usualTools = ["git_status", "git_commit", "git_push", "git_branch", "write", "edit", "shell"];

/** Of a call; with null for an address there is to be no callback any more. */
interface Wanted {
  callbackUrl?: string | null;
  tools?: string[];
  callbackTimeoutMs?: number;
  signedReplies?: boolean;
}

const isAbout = ({ callbackUrl, tools, callbackTimeoutMs, signedReplies }: Wanted) =>
  [callbackUrl, tools, callbackTimeoutMs, signedReplies].some((given) => given !== undefined);

/** What of its tools a new session leaves to its plugin. */
export function newClientTools(services: Services, wanted: Wanted, caller: Caller): ClientTools | undefined {
  // One that nobody asked for is there for those who may have one.
  const usual = may(caller, "approve") ? services.callbacks.url : undefined;
  const callbackUrl = wanted.callbackUrl ?? usual;
  if (callbackUrl === undefined && !isAbout(wanted)) return undefined;
  return clientTools(services, { ...wanted, callbackUrl }, caller);
}

/** What it leaves to it from now on; nothing when the call does not speak of it. */
export function changedClientTools(
  services: Services,
  wanted: Wanted,
  caller: Caller,
  before: ClientTools | undefined,
): ClientTools | undefined {
  if (!isAbout(wanted)) return undefined;
  if (wanted.callbackUrl !== undefined) return clientTools(services, wanted, caller, before);
  // Whoever changes something else does not change by whose token the plugin knows us.
  const { url: callbackUrl, token } = before?.callback ?? {};
  return clientTools(services, { ...wanted, callbackUrl }, caller, before, token);
}

/** Whose reply to a callback counts as a yes can approve. */
function clientTools(
  services: Services,
  wanted: Wanted,
  caller: Caller,
  before?: ClientTools,
  token = caller.id,
): ClientTools {
  demand(caller, "approve", "have tools executed by a callback");
  const { callbackUrl, tools: named, callbackTimeoutMs, signedReplies } = wanted;
  const timeoutMs = callbackTimeoutMs ?? before?.timeoutMs ?? USUAL_TIMEOUT_MS;
  if (callbackUrl === null) return { tools: [], timeoutMs };
  if (callbackUrl === undefined) {
    throw new DragomanError("invalid_params", "There is no callback to execute tools at. Name one as callbackUrl.");
  }
  const { href: url } = callbackTarget(callbackUrl, services.callbacks.allowedHosts).url;
  const kept = before?.callback ? before : undefined;
  return {
    tools: named ? [...new Set([...usualTools, ...named.map(coreTool)])] : (kept?.tools ?? usualTools),
    timeoutMs,
    callback: {
      url,
      token,
      node: services.runtime.node,
      signedReplies: signedReplies ?? kept?.callback?.signedReplies ?? false,
    },
  };
}
