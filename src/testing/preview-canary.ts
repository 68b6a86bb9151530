import { createSocket } from "node:dgram";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach } from "vitest";

/** A port that must stay untouched. */
export interface Canary {
  url: string;
  /** What came, over TCP or UDP: the first line of it, or that there was a connection. */
  touched: string[];
}

/** Canaries that are gone after their test. */
export function canaries(): () => Promise<Canary> {
  const open: (() => void)[] = [];
  afterEach(() => {
    for (const close of open.splice(0)) close();
  });
  return async () => {
    const touched: string[] = [];
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      touched.push("a connection");
      socket.on("data", (data) => touched.push(data.toString("latin1").split("\r\n")[0] ?? ""));
      socket.on("error", () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const datagrams = createSocket("udp4").on("message", () => touched.push("a datagram"));
    await new Promise<void>((resolve) => datagrams.bind(port, "127.0.0.1", resolve));
    open.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
      datagrams.close();
    });
    return { url: `http://127.0.0.1:${port}`, touched };
  };
}
