import { lookup } from "node:dns/promises";
import { DragomanError, messageOf } from "../../core/errors.ts";
import { isLoopback } from "../../core/loopback.ts";

/** The address to listen at. One that others can reach takes TLS, or that it was said plainly that none is wanted. */
export async function listenAddress(host: string, isProtected: boolean): Promise<string> {
  const address = await addressOf(host);
  if (isLoopback(address) || isProtected) return address;
  const message =
    `Other machines can reach ${host}, and would send their tokens there for everyone on the way to read. ` +
    "Give a certificate (--tls-cert, --tls-key), say --without-tls, or stay on 127.0.0.1.";
  throw new DragomanError("precondition_failed", message);
}

async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (error) {
    const message = `There is no address for ${JSON.stringify(host)} (${messageOf(error)}). Give another --host.`;
    throw new DragomanError("precondition_failed", message);
  }
}

/** What kept the server from listening, in words of use to whoever started it. */
export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): DragomanError {
  if (error.code === "EADDRINUSE") {
    const message = `Port ${port} of ${host} is taken by another program. Give another --port, or 0 for any free one.`;
    return new DragomanError("conflict", message);
  }
  const message = `Cannot listen at port ${port} of ${host}: ${error.message}. Give another --port or --host.`;
  return new DragomanError("precondition_failed", message);
}
