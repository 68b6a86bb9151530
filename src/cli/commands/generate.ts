import { type Command, InvalidArgumentError, Option } from "commander";
import { port } from "../arguments.ts";
import type { GenerateFlags } from "../generate.ts";
import type { Parts } from "../parts.ts";

/** An interface from the description of an API. */
export function addGenerate(program: Command, parts: Parts): void {
  program
    .command("generate")
    .description("an interface from the description of an API: OpenAPI, Swagger 2 or GraphQL")
    .argument(
      "<spec...>",
      "a file, a folder, an address (https://...) or - for stdin; then the files that it refers to",
    )
    .option("--out <dir>", "write a Vite project there: React, TypeScript, one descriptor per resource")
    .option("--serve", "open the interface in the browser, to be looked at, changed by words and connected to the API")
    .option("--port <n>", "the port of --serve (default: any free one)", port)
    .option("--no-open", "with --serve: only print the address")
    .addOption(new Option("--theme <name>", "its colours").choices(["light", "dark", "system"]).default("system"))
    .addOption(new Option("--layout <name>", "where its navigation is").choices(["side", "top"]).default("side"))
    .option("--no-auth", "without forms for credentials")
    .option("--no-pagination", "without paging controls")
    .option("--correct <name=value>", "correct what was inferred (inferences.json has the names)", correction)
    .option("--corrections <file>", "the same, as a JSON object in a file")
    .option("--allow-host <host>", "read the description also from this host inside your network", collected)
    .option("--force", "with --out: write over files that you changed, and into a folder that has others")
    .option("--json", "what was read, inferred and warned about as JSON on stdout")
    .action(async (spec: string[], flags: GenerateFlags) => {
      const { generateCommand } = await import("../generate.ts");
      process.stdout.on("error", () => {}); // whoever reads may have had enough
      const { stdout, stderr } = process;
      process.exitCode = await generateCommand(spec, flags, { stdout, stderr, parts });
    });
}

const collected = (one: string, before: string[] = []) => [...before, one];

function correction(given: string, before: Record<string, unknown> = {}): Record<string, unknown> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("It takes <name>=<value>.");
  return { ...before, [name]: jsonOrText(value) };
}

/** `"a"`, `["a"]` and `null` are JSON; anything else is a text, so that quotes are rarely needed. */
function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
