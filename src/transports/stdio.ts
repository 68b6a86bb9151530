import { createWriteStream, fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";

const STDOUT = 1;

/**
 * stdin and stdout for a protocol. Whatever else writes to stdout from now on goes to stderr, so that stdout carries protocol lines
 * and nothing else; and a reader that stalls does not stop this process, as writing to Node's own stdout would.
 */
export function openStdio(): { input: Readable; output: Writable } {
  const stat = fstatSync(STDOUT);
  const isPipe = stat.isFIFO() || stat.isSocket();
  const output = isPipe
    ? new Socket({ fd: STDOUT, readable: false, writable: true })
    : createWriteStream("", { fd: STDOUT, autoClose: false });
  // Before anyone has asked for it: once made, Node's own stream would share the descriptor with ours.
  Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr });
  return { input: process.stdin, output };
}
