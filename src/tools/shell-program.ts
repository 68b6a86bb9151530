import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { DragomanError } from "../core/errors.ts";

export interface ShellProgram {
  file: string;
  /** The parser reads lines as bash does; what another shell makes of them is not known. */
  isBash: boolean;
  args(command: string): string[];
}

/** bash, and where there is none, sh. */
export async function findShell(path = process.env.PATH ?? ""): Promise<ShellProgram> {
  const folders = [
    ...new Set(["/bin", "/usr/bin", ...path.split(delimiter).filter((folder) => folder.startsWith("/"))]),
  ];
  for (const name of ["bash", "sh"]) {
    for (const file of folders.map((folder) => join(folder, name))) {
      if (await isExecutable(file)) return shell(file, name === "bash");
    }
  }
  throw new DragomanError("tool_failed", "There is neither bash nor sh here to run commands with. Install bash.");
}

const shell = (file: string, isBash: boolean): ShellProgram => ({
  file,
  isBash,
  args: (command) => [...(isBash ? ["--noprofile", "--norc"] : []), "-c", "--", command],
});

const isExecutable = (file: string) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
