import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serveProcesses } from "../testing/serve-process.ts";

// Where a server does not start, and what is said then. The bundled command, as a user has it.

const { place, launch } = serveProcesses();

describe("a port that is taken", () => {
  test("by the same user's server: its address is told with a new link, and the second one ends well", async () => {
    const where = place();
    const first = await launch(where).ready();
    const port = ["--port", String(first.port)];
    const second = launch(where, port);
    expect([await second.exit, second.stderr]).toEqual([0, ""]);
    expect(second.stdout.split("\n")).toEqual([
      `Dragoman already serves ${where.workspace} at ${first.url} (pid ${first.child.pid})`,
      expect.stringMatching(/^Sign in: \S+ \(once, within 10 minutes\)$/),
      "",
    ]);
    expect(second.signInUrl).not.toBe(first.signInUrl);
    const signedIn = await fetch(second.signInUrl, { redirect: "manual" });
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/"]);

    const announcing = launch(where, [...port, "--announce"]);
    expect([await announcing.exit, announcing.stdout]).toEqual([
      0,
      `SIDECAR_PORT=${first.port}\nSIDECAR_TOKEN_FILE=${join(where.home, "token")}\n`,
    ]);
  });

  test("by the same user's server, but of another folder: says what to do, also to a program", async () => {
    const where = place();
    const first = await launch(where).ready();
    const { workspace } = place();
    for (const more of [[], ["--announce"]]) {
      const second = launch({ home: where.home, workspace }, ["--port", String(first.port), ...more]);
      expect([await second.exit, second.stdout, second.stderr]).toEqual([
        1,
        "",
        `dragoman: A server of yours has the port already: ${first.url} (pid ${first.child.pid}) serves ${where.workspace}. ` +
          `For a server of this folder: dragoman serve --port 0 --workspace ${workspace}\n`,
      ]);
    }
  });

  test("by the same user's server, started without what is wanted now: that is not passed over", async () => {
    const where = place();
    const first = await launch(where).ready();
    const ended = async (...args: string[]) => {
      const second = launch(where, ["--port", String(first.port), "--announce", ...args]);
      return [
        await second.exit,
        second.stdout,
        /without your (.*)\. Give --port 0 for another/.exec(second.stderr)?.[1],
      ];
    };
    expect(await ended("--until-stdin-ends")).toEqual([1, "", "--until-stdin-ends"]);
    const several = [
      "--callback",
      "http://127.0.0.1:1/",
      "--engine",
      "builtin",
      "--model",
      "builtin",
      "--allow-host",
      "a.test",
    ];
    expect(await ended(...several)).toEqual([1, "", "--callback, --engine, --model, --allow-host"]);
  });

  test("by another program: says what to do, and shows it no token", async () => {
    const heard: string[] = [];
    const other = createServer((socket) => void socket.on("data", (data) => heard.push(String(data))));
    const port = await new Promise<number>((resolve) =>
      other.listen(0, "127.0.0.1", () => resolve((other.address() as { port: number }).port)),
    );
    const server = launch(place(), ["--port", String(port), "--until-stdin-ends"]);
    expect([await server.exit, server.stdout, heard]).toEqual([1, "", []]);
    expect(server.stderr).toBe(
      `dragoman: Port ${port} of 127.0.0.1 is taken by another program. Give another --port, or 0 for any free one.\n`,
    );
    await new Promise((resolve) => other.close(resolve));
  });

  test("for live alone, by another program: says what to do", async () => {
    const first = await launch(place()).ready();
    const server = launch(place(), ["--port", "0", "--live-port", String(first.port)]);
    expect([await server.exit, server.stdout]).toEqual([1, ""]);
    expect(server.stderr).toContain(
      `dragoman: Port ${first.port} is taken by another program. Give another --live-port, or 0 for any free one.\n`,
    );
  });

  test("by a server of yours, for live or by its live: says which it is", async () => {
    const where = place();
    const first = await launch(where, ["--port", "0", "--announce", "--live-port", "0"]).ready();
    const livePort = /LIVE_PORT=(\d+)/.exec(first.stdout)?.[1] ?? "";
    const who = `your server ${first.url} (pid ${first.child.pid}), which serves ${where.workspace}`;
    for (const [option, port] of [
      ["--live-port", String(first.port)],
      ["--live-port", livePort],
    ] as const) {
      const second = launch(where, ["--port", "0", option, port]);
      expect([await second.exit, second.stdout]).toEqual([1, ""]);
      expect(second.stderr).toContain(`dragoman: Port ${port} is taken by ${who}. Give another --live-port,`);
    }
    const third = launch(where, ["--port", livePort]);
    expect([await third.exit, third.stderr]).toEqual([
      1,
      `dragoman: Port ${livePort} of 127.0.0.1 is taken by ${who}. Give another --port, or 0 for any free one.\n`,
    ]);
  });

  test("by the server of another data folder: that is another program", async () => {
    const first = await launch(place()).ready();
    const second = launch(place(), ["--port", String(first.port)]);
    expect([await second.exit, second.stdout]).toEqual([1, ""]);
  });
});

describe("what is refused before anything is served", () => {
  test.each<[string, string[], RegExp]>([
    ["an address that others can reach, without TLS", ["--host", "0.0.0.0"], /--tls-cert.*--without-tls/],
    ["all of them, also by IPv6", ["--host", "::"], /--tls-cert.*--without-tls/],
    ["a certificate without its key", ["--tls-cert", "package.json"], /both: --tls-cert and --tls-key/],
    [
      "a certificate that is none",
      ["--tls-cert", "src/main.ts", "--tls-key", "src/main.ts"],
      /no certificate in src.main\.ts\. In PEM/,
    ],
    ["a certificate that is not there", ["--tls-cert", "no.pem", "--tls-key", "no.pem"], /no\.pem cannot be read/],
    ["a port that is none", ["--port", "65536"], /It takes a number up to 65535/],
    ["a port for live that is none", ["--live-port", "tcp"], /It takes a number up to 65535/],
    [
      "a Unix socket where a file is",
      ["--live-socket", "src/main.ts"],
      /main\.ts: something else is there.*--live-socket/,
    ],
    [
      "a Unix socket in no folder",
      ["--live-socket", "no/live.sock"],
      /Cannot listen at \S+no.live\.sock: there is no folder \S+no\. Give another --live-socket/,
    ],
    [
      "one port for both",
      ["--port", "19000", "--live-port", "19000"],
      /--port and --live-port are both 19000\. Give another --live-port/,
    ],
    ["a model that the engine does not have", ["--model", "gpt"], /There is no model "gpt" here\. There is: builtin\./],
    ["a Unix socket with a long name", ["--live-socket", "x".repeat(99)], /bytes, and a socket's path at most \d+/],
    ["an engine that is none", ["--engine", "frob"], /There is no engine "frob" here/],
    ["a callback that is no address", ["--callback", "file:///etc/passwd"], /It takes an http or https address/],
    ["a callback with a password in it", ["--callback", "http://a:b@127.0.0.1/"], /a name or password .* is not sent/],
    ["an address for a name", ["--allow-host", "http://a/b"], /It takes a name with or without a port/],
    ["a name with a path", ["--allow-host", "a.test", "b.test/c"], /It takes a name with or without a port/],
    ["any name at all", ["--allow-host", "*.test"], /It takes a name with or without a port/],
    ["a name with a port that is none", ["--allow-host", "a.test:65536"], /It takes a name with or without a port/],
    ["a level that is none", ["--log-level", "loud"], /Allowed choices are debug, info, warn, error/],
  ])("%s", async (_, args, message) => {
    const server = launch(place(), ["--port", "0", ...args]);
    expect([await server.exit, server.stdout]).toEqual([1, ""]);
    expect(server.stderr).toMatch(message);
    expect(server.stderr).not.toContain("    at "); // no stack
  });
});
