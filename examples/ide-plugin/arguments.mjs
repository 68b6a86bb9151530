// What the plugin was started with.
import { realpathSync, statSync } from "node:fs";
import { parseArgs } from "node:util";

const USAGE = `Usage: node plugin.mjs [--workspace <dir>] [--engine <name>] [--model <name>] [--yes] ["<prompt>"]

Sends a prompt to the agent, as a plugin of an IDE would, and shows what comes of it.

  --workspace <dir>  the folder to work in (default: this one)
  --engine <name>    what does the work (default: as the server is set up)
  --model <name>     with which model
  --yes              agree to everything
  --help             this

It ends with 0 when all was done, 1 when something was denied or failed, 130 after Ctrl-C.
`;

/** @type {(message: string) => never} */
export function giveUp(message) {
  process.stderr.write(`plugin: ${message}\n`);
  process.exit(1);
}

/** Ends the process where there is nothing to do, or nothing that could be done. */
export function pluginArguments() {
  const { values, positionals } = parsed();
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  return {
    workspace: folder(values.workspace),
    engine: values.engine,
    model: values.model,
    yes: values.yes,
    prompt: positionals.join(" ") || "What has changed?",
  };
}

function parsed() {
  try {
    return parseArgs({
      options: {
        workspace: { type: "string", default: "." },
        engine: { type: "string" },
        model: { type: "string" },
        yes: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
      allowPositionals: true,
    });
  } catch (error) {
    return giveUp(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

/** @type {(path: string) => string} */
function folder(path) {
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch {}
  return giveUp(`There is no folder ${path}. Give --workspace one that is there.`);
}
