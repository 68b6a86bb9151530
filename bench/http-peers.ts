import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundle } from "../scripts/build.mjs";
import { bundledFor, folder, project, startChild } from "./children.ts";

const bundled = bundledFor("http");

export async function buildChildren(): Promise<void> {
  mkdirSync(bundled, { recursive: true });
  const file = (name: string) => `${project}bench/http-children/${name}.ts`;
  await bundle({ ours: file("ours"), bare: file("bare") }, bundled);
  cpSync(`${project}src/page`, join(bundled, "page"), { recursive: true });
}

export interface Server {
  port: number;
  token: string;
}

/** Starts one of the servers; resolves when it has said where it is. */
export function startServer(name: "ours" | "bare"): Promise<Server> {
  const workspace = join(folder, "workspace");
  mkdirSync(workspace, { recursive: true });
  const env = { ...process.env, DRAGOMAN_HOME: join(folder, "home") };
  const args = [join(bundled, `${name}.js`)];
  const { stdout } = startChild(args, { stdio: ["pipe", "pipe", "inherit"], cwd: workspace, env });
  if (!stdout) throw new Error("no stdout");
  const said: Record<string, string> = {};
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on("line", (line) => {
      const [key = "", value = ""] = line.split("=");
      said[key] = value;
      const { SIDECAR_PORT: port, SIDECAR_TOKEN_FILE: file } = said;
      if (port && (file || name === "bare")) {
        resolve({ port: Number(port), token: file ? readFileSync(file, "utf8").trim() : "none" });
      }
    });
  });
}

function headOf({ port, token }: Server, line: string, more = ""): string {
  return `${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
}

export function postOf(server: Server, method: string, params: object): Buffer {
  const body = JSON.stringify({ jsonrpc: "2.0", id: "1", method, params });
  const more = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(headOf(server, "POST /rpc", more) + body);
}

/** One call over a connection of its own. */
export async function call(server: Server, method: string, params: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/rpc`, {
    method: "POST",
    headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: "1", method, params }),
  });
  const { result, error } = (await answer.json()) as Record<string, Record<string, unknown>>;
  if (!result) throw new Error(JSON.stringify(error));
  return result;
}

export function open({ port }: Server, onBytes: (bytes: Buffer) => void): Socket {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const onread = {
    buffer,
    callback: (count: number) => {
      onBytes(buffer.subarray(0, count));
      return true;
    },
  };
  return connect({ port, host: "127.0.0.1", noDelay: true, onread });
}

/** Resolves when the stream has begun. */
export function listen(server: Server, path: string, onBytes: (bytes: Buffer) => void): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = open(server, (bytes) => {
      resolve(socket);
      onBytes(bytes);
    });
    socket.write(headOf(server, `GET ${path}`));
  });
}
