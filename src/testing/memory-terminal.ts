import { PassThrough } from "node:stream";
import { Terminal } from "../cli/terminal/terminal.ts";

/** What a command writes where there is no terminal. */
export function memoryTerminal() {
  const written = { out: "", err: "" };
  const stream = (name: "out" | "err") =>
    new PassThrough({ encoding: "utf8" }).on("data", (text) => {
      written[name] += text;
    });
  const stdin = new PassThrough() as unknown as NodeJS.ReadStream;
  const terminal = new Terminal({ stdin, stdout: stream("out"), stderr: stream("err") }, {});
  return { terminal, written };
}
