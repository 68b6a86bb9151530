import { type Command, InvalidArgumentError, Option } from "commander";
import { logLevels } from "../../transports/http/log.ts";
import { engineOption, here, LARGEST_PORT, modelOption, port, workspaceOption } from "../arguments.ts";
import type { Parts } from "../parts.ts";

/** One that is easy to remember, and that nobody else has registered. */
const USUAL_PORT = 8137;

export function addServe(program: Command, parts: Parts): void {
  program
    .command("serve")
    .description("serve this folder to browsers, IDEs and other programs over HTTP, on this machine")
    .option("--port <n>", "0: any that is free", port, USUAL_PORT)
    .option("--host <name>", "where to listen; other machines can reach all but the default", "127.0.0.1")
    .option("--announce", "print the port and the token's file for the program that started it, and nothing else")
    .option("--until-stdin-ends", "end when whoever started it does")
    .option("--live-socket <path>", "speak the live protocol at a Unix socket, too")
    .option("--live-port <n>", "and at this TCP port of this machine; 0: any that is free", port)
    .option("--open", "open it in the browser, signed in")
    .option(...workspaceOption)
    .option(...engineOption)
    .option(...modelOption)
    .option("--callback <url>", "where the tools of new sessions are executed, by HTTP", httpUrl)
    .option("--allow-host <name...>", "another name under which this server may be known, such as dev.test:9000", hosts)
    .option("--tls-cert <file>", "serve HTTPS with this certificate, in PEM")
    .option("--tls-key <file>", "the key of the certificate")
    .option("--without-tls", "let other machines in without TLS")
    .addOption(
      new Option("--log-level <level>", "what is told on stderr: debug, info, warn or error")
        .choices(logLevels)
        .default("info"),
    )
    .action(async ({ workspace = here(), announce = false, untilStdinEnds = false, open = false, ...given }) => {
      const { serve } = await import("../serve.ts");
      const { allowHost = [], withoutTls = false, ...rest } = given;
      await serve({ parts, workspace, announce, untilStdinEnds, open, allowHost, withoutTls, ...rest });
    });
}

function httpUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return given;
  throw new InvalidArgumentError("It takes an http or https address.");
}

const NAME = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i;

/** What a browser may say of where it is: a name, with a port where that is another than ours. */
function hosts(given: string, before: string[] = []): string[] {
  const port = NAME.exec(given)?.[1] ?? "";
  const isIpv6 = URL.canParse(`http://[${given}]`); // without a module: every start of every command reads this file
  if (isIpv6 || (NAME.test(given) && Number(port) <= LARGEST_PORT)) return [...before, given];
  throw new InvalidArgumentError(
    "It takes a name with or without a port, and nothing else: dev.test or localhost:9000",
  );
}
