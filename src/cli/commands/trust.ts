import type { Command } from "commander";
import { dataFolder } from "../../tools/data-folder.ts";
import { folder, here } from "../arguments.ts";
import { leaveWith } from "../leave.ts";

export function addTrust(program: Command): void {
  program
    .command("trust")
    .description("let a folder's own configuration set what is run and allowed in it")
    .argument("[dir]", "the folder (default: this one)", folder)
    .option("--revoke", "trust it no longer")
    .option("--list", "show which folders are trusted")
    .option("--yes", "without being asked")
    .action(async (dir: string | undefined, { revoke, list, yes = false }) => {
      const [{ trust }, { Keys }] = await Promise.all([import("../trust.ts"), import("../keys.ts")]);
      const keys = process.stdin.isTTY ? new Keys(process.stdin) : undefined;
      leaveWith(async () => keys?.close());
      const action = list ? "list" : revoke ? "revoke" : "trust";
      try {
        const home = dataFolder();
        process.exitCode = await trust({ action, dir: dir ?? here(), home, yes, keys, out: process.stdout });
      } finally {
        keys?.close();
      }
    });
}
