import { readFile } from "node:fs/promises";
import { printable, shellWord } from "../config/printable.ts";
import { DragomanError, messageOf } from "../core/errors.ts";
import { type Conflict, generate, generateProject } from "../generator/generate.ts";
import type { Corrections, Inference } from "../generator/interface-model.ts";
import type { Warning } from "../generator/normalized-spec.ts";
import { type ReadResult, readDescription } from "../generator/reading/read-description.ts";
import { type Kept, writeProject } from "./generate-out.ts";
import { GenerateProgress, type Output } from "./generate-progress.ts";
import { type DescriptionFile, readDescriptionFiles } from "./generate-source.ts";
import type { Parts } from "./parts.ts";
import { customizationsAt } from "./project-interface.ts";

export interface GenerateFlags {
  out?: string;
  serve?: boolean;
  port?: number;
  open: boolean;
  theme: "light" | "dark" | "system";
  layout: "side" | "top";
  auth: boolean;
  pagination: boolean;
  correct?: Corrections;
  corrections?: string;
  allowHost?: string[];
  force?: boolean;
  json?: boolean;
}

export interface GenerateOutputs {
  stdout: Output;
  stderr: Output;
  /** What a server is made of, for --serve. */
  parts?: Parts;
}

const SHOWN_WARNINGS = 5;
const SHOWN_FILES = 10;

/** Resolves with the exit code of the process. */
export async function generateCommand(
  given: string[],
  flags: GenerateFlags,
  outputs: GenerateOutputs,
): Promise<number> {
  const progress = new GenerateProgress(outputs.stderr);
  try {
    return await work(given, flags, outputs, progress);
  } finally {
    progress.clear();
  }
}

async function work(
  given: string[],
  flags: GenerateFlags,
  { stdout, stderr, parts }: GenerateOutputs,
  progress: GenerateProgress,
): Promise<number> {
  const corrections = { ...(await correctionsIn(flags.corrections)), ...flags.correct };
  const files = await readDescriptionFiles(given, {
    allowedHosts: flags.allowHost ?? [],
    onProgress: (text) => progress.show(text),
  });
  await progress.step(`Reading ${printable(files[0]?.name ?? "")}`);
  const read = readDescription(files);
  await progress.step(`Understanding ${printable(read.spec.metadata.title)}`);
  const options = { ...flags, includeAuth: flags.auth, corrections };
  if (flags.out !== undefined) {
    const customizations = await customizationsAt(flags.out);
    const project = generateProject(read.spec, { ...options, customizations });
    await progress.step(`Writing ${Object.keys(project.files).length} files to ${flags.out}`);
    const kept = await writeProject(flags.out, project.files, flags.force === true);
    progress.clear();
    tell({ read, ...project }, flags, stdout, stderr);
    tellKept(kept, stderr);
    tellConflicts(customizations.length, project.conflicts, stderr);
    const written = Object.keys(project.files).length - kept.current.length - kept.outdated.length;
    stderr.write(`Wrote ${written} files. Next: cd ${shellWord(flags.out)} && npm install && npm run dev\n`);
  }
  if (flags.out !== undefined && !flags.serve) return 0;
  const generated = generate(read.spec, options);
  progress.clear();
  if (flags.out === undefined) tell({ read, ...generated }, flags, stdout, stderr);
  if (flags.serve && parts) {
    const { serveInterface } = await import("./generate-serve.ts");
    const wish = wishOf(files, read, flags, corrections);
    return serveInterface({ parts, wish, workspace: process.cwd(), port: flags.port, open: flags.open }, stderr);
  }
  if (stdout.isTTY) stderr.write("Look at it with --serve, write a project with --out <dir>, or pipe the code.\n");
  else if (!flags.json) stdout.write(generated.code);
  return 0;
}

/** A description in several files is brought as what was read of it. */
function wishOf(files: DescriptionFile[], read: ReadResult, flags: GenerateFlags, corrections: Corrections) {
  const [first, ...others] = files;
  const { theme, layout, auth: includeAuth, pagination } = flags;
  const options = { layout, includeAuth, pagination, corrections };
  const described = first && others.length === 0 ? { source: first } : { spec: { ...read.spec } };
  return { ...described, theme, options };
}

interface Told {
  read: ReadResult;
  description: string;
  componentCount: number;
  inferences: Inference[];
  warnings: Warning[];
}

function tell(told: Told, { json }: GenerateFlags, stdout: Output, stderr: Output): void {
  const { read, description, componentCount, inferences } = told;
  const warnings = [...read.warnings, ...told.warnings];
  const { title, version } = read.spec.metadata;
  if (json) {
    const report = { title, version, format: read.spec.format, description, componentCount, inferences, warnings };
    stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  }
  stderr.write(`${printable(`${title} ${version}`.trim())}: ${description}.\n`);
  for (const { place, message } of warnings.slice(0, SHOWN_WARNINGS))
    stderr.write(`  warning: ${printable(place)}: ${printable(message)}\n`);
  if (warnings.length > SHOWN_WARNINGS)
    stderr.write(`  and ${warnings.length - SHOWN_WARNINGS} more warnings: --json shows them\n`);
}

function tellKept({ outdated, current, abandoned }: Kept, stderr: Output): void {
  const listed = (paths: string[]) =>
    paths.slice(0, SHOWN_FILES).join(", ") +
    (paths.length > SHOWN_FILES ? ` and ${paths.length - SHOWN_FILES} more` : "");
  if (current.length > 0) stderr.write(`Left as you changed it: ${listed(current)}\n`);
  if (abandoned.length > 0)
    stderr.write(`Left as you changed it, though it is no longer generated: ${listed(abandoned)}\n`);
  if (outdated.length > 0)
    stderr.write(
      `Left as you changed it, with what is generated now beside it as .new: ${listed(outdated)} (--force writes over it)\n`,
    );
}

/** What was wished for goes over by itself; what of it no longer fits is told, and stays in its file. */
function tellConflicts(count: number, conflicts: Conflict[], stderr: Output): void {
  const held = count - conflicts.length;
  if (held > 0) stderr.write(`${held} ${held === 1 ? "customization holds" : "customizations hold"}.\n`);
  for (const { customization, why } of conflicts)
    stderr.write(`  no longer fits: ${printable(customization.said ?? customization.change)}: ${printable(why)}\n`);
}

async function correctionsIn(path: string | undefined): Promise<Corrections> {
  if (path === undefined) return {};
  const text = await readFile(path, "utf8").catch(() => {
    throw new DragomanError("document_not_found", `There is no file ${path}.`);
  });
  const value = parsed(text, path);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Corrections;
  throw new DragomanError("invalid_params", `${path} has to hold one JSON object: names and what holds instead.`);
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DragomanError("invalid_params", `${path} is no JSON: ${messageOf(error)}`);
  }
}
