import type { Origin } from "../../../core/events.ts";
import { type Caller, demand } from "../../../core/roles.ts";
import type { RpcCall, RpcHandlers } from "../../json-rpc.ts";
import type { Listeners } from "../../listeners.ts";
import type { SentMessages } from "../../sent-messages.ts";
import type { calls } from "../calls.ts";
import type { Permissions } from "../permissions.ts";
import type { Callbacks } from "./callbacks.ts";
import type { Services } from "./services.ts";
import type { Sessions } from "./sessions.ts";

export type SidecarHandlers = RpcHandlers<typeof calls>;

export interface HandlerOptions {
  services: Services;
  sessions: Sessions;
  listeners: Listeners;
  callbacks: Callbacks;
  sent: SentMessages;
  caller: Caller;
}

export function originOf({ name }: Caller, { id }: RpcCall): Origin {
  return { dialect: "sidecar", client: name, requestId: id };
}

/** What runs without being asked about is agreed to beforehand. */
export function checkPermissions(permissions: Permissions | undefined, caller: Caller): void {
  const allowed = Object.entries(permissions ?? {}).find(([, verdict]) => verdict === "allow");
  if (allowed) demand(caller, "approve", `allow ${allowed[0]} beforehand`);
}
