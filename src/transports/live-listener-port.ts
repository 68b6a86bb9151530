import type { AddressInfo, Server } from "node:net";
import { DragomanError } from "../core/errors.ts";

const LOOPBACK = "127.0.0.1";

/** Lets a server listen at a port that programs of this machine alone can reach. Resolves with the port, any that is free for 0. */
export async function listenAtPort(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(failure(error, port)));
    server.listen(port, LOOPBACK, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function failure({ code, message }: NodeJS.ErrnoException, port: number): DragomanError {
  if (code === "EADDRINUSE") {
    const taken = `Port ${port} is taken by another program. Give another --live-port, or 0 for any free one.`;
    return new DragomanError("conflict", taken);
  }
  const other = `Cannot listen at port ${port}: ${message}. Give another --live-port.`;
  return new DragomanError("precondition_failed", other);
}
