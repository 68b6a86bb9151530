import { EventEmitter } from "node:events";
import { createWriteStream, fstatSync } from "node:fs";
import { type ConnectOpts, Socket, type SocketConstructorOpts } from "node:net";
import type { Writable } from "node:stream";
import type { Source } from "./line-link.ts";

const STDIN = 0;
const STDOUT = 1;
const READ_BYTES = 64 * 1024;

/**
 * stdin and stdout for a protocol. Whatever else writes to stdout from now on goes to stderr, so that stdout carries protocol lines
 * and nothing else; and a reader that stalls does not stop this process, as writing to Node's own stdout would.
 */
export function openStdio(): { input: Source; output: Writable } {
  const output = isPipe(STDOUT)
    ? new Socket({ fd: STDOUT, readable: false, writable: true })
    : createWriteStream("", { fd: STDOUT, autoClose: false });
  // Before anyone has asked for it: once made, Node's own stream would share the descriptor with ours.
  Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr });
  return { input: isPipe(STDIN) ? readPipe(STDIN) : process.stdin, output };
}

function isPipe(fd: number): boolean {
  const stat = fstatSync(fd);
  return stat.isFIFO() || stat.isSocket();
}

/** Into one buffer: a new one for each read would be garbage faster than it is collected when a line has no end. */
function readPipe(fd: number): Source {
  const source = new EventEmitter();
  const callback = (count: number, buffer: Uint8Array) => {
    source.emit("data", buffer.subarray(0, count));
    return true;
  };
  const onread = { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback };
  const options: SocketConstructorOpts & ConnectOpts = { fd, readable: true, writable: false, onread };
  const socket = new Socket(options);
  for (const event of ["end", "error", "close"]) socket.on(event, () => source.emit(event));
  return Object.assign(source, { pause: () => socket.pause(), resume: () => socket.resume() });
}
