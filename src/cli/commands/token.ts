import { type Command, InvalidArgumentError } from "commander";
import { type Role, roles } from "../../core/roles.ts";
import { dataFolder } from "../../tools/data-folder.ts";
import { here } from "../arguments.ts";
import { leaveWith } from "../leave.ts";
import { timeSpan } from "../prune-arguments.ts";
import type { TokenCommand } from "../token.ts";

/** The tokens by which programs and people come in over the network. */
export function addToken(program: Command): void {
  const token = program.command("token").description("make, list and take back the tokens that let others in");
  const named = ["<token>", "its name or its id"] as const;

  token
    .command("create")
    .description("make a token; it is shown once")
    .argument("<name>", "what it is for; others see it beside what is done with it")
    .requiredOption(
      "--role <roles>",
      `what it may do: one or more of ${roles.join(", ")}, with commas between`,
      roleList,
    )
    .option("--expires <time>", "it is void after that, such as 12h or 30d (default: never)", lifetime)
    .action((name: string, given) => run(({ createToken }, command) => createToken(command, { name, ...given })));

  token
    .command("list")
    .description("show which tokens there are, but not their texts, which are kept nowhere")
    .option("--json", "each as a line of JSON")
    .action(({ json = false }) => run(({ listTokens }, command) => listTokens(command, { json })));

  token
    .command("revoke")
    .description("make a token void, and close what is open with it")
    .argument(...named)
    .action((idOrName: string) => run(({ revokeToken }, command) => revokeToken(command, idOrName)));

  token
    .command("rotate")
    .description("make a token void and another one in its place, of the same name and roles")
    .argument(...named)
    .action((idOrName: string) => run(({ rotateToken }, command) => rotateToken(command, idOrName)));

  token
    .command("link")
    .description("get a link from the running server that signs your browser in once")
    .argument("[address]", "the server's, where several are running")
    .action((address?: string) => run(({ newLink }, command) => newLink(command, here(), address)));
}

type Commands = typeof import("../token.ts");

async function run(work: (commands: Commands, command: TokenCommand) => Promise<void>): Promise<void> {
  leaveWith(async () => {});
  await work(await import("../token.ts"), {
    home: dataFolder(),
    now: Date.now(),
    say: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
  });
}

function roleList(given: string): Role[] {
  const wanted = given.split(",").map((word) => word.trim());
  const known = roles.filter((role) => wanted.includes(role));
  if (wanted.every((word) => known.some((role) => role === word))) return known;
  throw new InvalidArgumentError(`It takes ${roles.join(", ")}, with commas between: observe,prompt`);
}

function lifetime(given: string): number {
  const ms = timeSpan(given);
  const longest = 100 * 365 * 24 * 60 * 60_000;
  if (ms > 0 && ms <= longest) return ms;
  throw new InvalidArgumentError(
    "It takes a time of less than 100 years. Leave it out for a token that never expires.",
  );
}
