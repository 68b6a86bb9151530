import { isObject } from "../is-object.ts";
import { capabilitiesOf } from "./asks.ts";
import type { ClientOptions } from "./client-options.ts";
import type { Connection } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import type { Params, Result } from "./protocol.ts";
import { UiError } from "./ui-error.ts";

const PROTOCOL_VERSION = "0";

/** The first thing said on every connection; gives what the runtime says of itself. */
export async function handshake(
  connection: Connection,
  { client, capabilities, handlers = {} }: ClientOptions,
  timeoutMs: number,
): Promise<Result<"initialize">> {
  const params: Params<"initialize"> = {
    protocol_version: PROTOCOL_VERSION,
    client,
    ui_capabilities: { ...capabilities, ...capabilitiesOf(handlers) },
  };
  const deadline = new Deadline("initialize", timeoutMs);
  try {
    return await connection.request("initialize", params, deadline, { take: compatible });
  } finally {
    deadline.end();
  }
}

function compatible(result: unknown): Result<"initialize"> {
  const version = isObject(result) ? result.protocol_version : undefined;
  if (version === PROTOCOL_VERSION) return result as Result<"initialize">;
  const spoken = version === undefined ? "no version" : `version ${JSON.stringify(version)}`;
  throw new UiError("protocol", `The runtime speaks ${spoken} of the protocol, and this client "${PROTOCOL_VERSION}"`);
}
