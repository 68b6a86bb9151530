import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { printable } from "../config/printable.ts";
import { type Customized, customize } from "../generator/customizing/customize.ts";
import type { Said } from "../generator/customizing/interpret.ts";
import { customizationsIn } from "../generator/emitting/customizations.ts";
import type { Output } from "./generate-progress.ts";
import { type StoredInterface, storedInterface, storedWith } from "./project-interface.ts";

export interface CustomizeFlags {
  /** The answers to what is asked back, in their order. */
  answer?: string[];
  json?: boolean;
}

export interface CustomizeStreams {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
}

/** Changes a generated interface on disk by a request in words. Resolves with the exit code of the process. */
export async function customizeCommand(
  where: string,
  prompt: string,
  { answer: answers = [], json }: CustomizeFlags,
  streams: CustomizeStreams,
): Promise<number> {
  const { stdout, stderr } = streams;
  const stored = await storedInterface(where);
  const { result, open } = await settled(stored, prompt, answers, streams);
  if (json) stdout.write(`${JSON.stringify(reported(result), null, 2)}\n`);
  if (result.kind === "changed") {
    await writeFile(stored.path, storedWith(stored, customizationsIn(result.code) ?? []));
    stderr.write(`${printable(result.description)}\n`);
    for (const assumption of result.assumptions) stderr.write(`  ${printable(assumption)}\n`);
    stderr.write(`Written to ${stored.path}\n`);
    return 0;
  }
  if (result.kind === "declined") stderr.write(`${printable(result.message)}\n`);
  else stderr.write(`${open}\nAnswer with --answer "${printable(result.options[0] ?? "…")}"\n`);
  return 1;
}

/** Asks back until it is clear what is meant, as far as there are answers. */
async function settled(stored: StoredInterface, prompt: string, answers: string[], streams: CustomizeStreams) {
  const history: Said[] = [];
  const given = [...answers];
  for (let said = prompt; ; ) {
    const result = customize({ code: stored.code, prompt: said, history });
    if (result.kind !== "question") return { result, open: "" };
    const open = asked(result);
    const next = given.shift() ?? (await answered(open, streams));
    if (next === undefined) return { result, open };
    history.push({ role: "user", content: said }, { role: "assistant", content: result.question });
    said = next;
  }
}

const asked = ({ question, options }: Extract<Customized, { kind: "question" }>) =>
  [printable(question), ...options.map((option, at) => `  ${at + 1}. ${printable(option)}`)].join("\n");

async function answered(question: string, { stdin, stderr }: CustomizeStreams): Promise<string | undefined> {
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const lines = createInterface({ input: stdin, output: stderr as unknown as NodeJS.WritableStream });
  try {
    return (await lines.question(`${question}\nWhich one? `)).trim() || undefined;
  } finally {
    lines.close();
  }
}

function reported(result: Customized) {
  if (result.kind !== "changed") return result;
  const { code: _, ...rest } = result;
  return rest;
}
