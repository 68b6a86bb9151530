import { plainText } from "../core/plain-text.ts";
import type { ProcessRecord } from "../core/process-records.ts";
import type { Store } from "../core/store.ts";
import type { Leftover } from "../core/supervision.ts";
import type { Examination } from "../stores/sqlite-examine.ts";
import { cell } from "./columns.ts";
import { examineEngine } from "./doctor-engine.ts";
import type { Finding, Mended, Verdict } from "./doctor-finding.ts";
import { closeFolder, examineFolder, isUsable } from "./doctor-folder.ts";
import { mendStore } from "./doctor-mend.ts";
import { examineNodes } from "./doctor-nodes.ts";
import { examineServers, forgetServers } from "./doctor-servers.ts";
import { examineLock, examineLog } from "./doctor-store.ts";
import { examineConfiguration, examineVersions, gitVersion } from "./doctor-surroundings.ts";
import { closeTokens, examineTokens } from "./doctor-tokens.ts";
import type { Parts } from "./parts.ts";
import { printable } from "./terminal/event-frames.ts";
import type { Place } from "./terminal/screen.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { wordRows } from "./terminal/text-width.ts";
import { count } from "./terminal/wording.ts";

export interface DoctorOptions extends Pick<Parts, "engines" | "missing"> {
  version: string;
  /** Dragoman's data folder. */
  home: string;
  workspace: string;
  terminal: Terminal;
  json: boolean;
  /** Does what is safe. */
  mend: boolean;
  /** Looks at the log's file without changing it. */
  examine(): Promise<{ examination: Examination; writer(): number | undefined }>;
  openStore(): Promise<Store>;
  endProcesses(records: ProcessRecord[]): Promise<Leftover[]>;
}

/** Says what is wrong and how to mend it. Resolves with the exit code of the process: 1 where there is a problem. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const { terminal, json, mend } = options;
  const { out } = terminal;
  try {
    const mended = mend ? await mendAll(options) : [];
    const findings = await examineAll(options);
    const problems = findings.filter(({ verdict }) => verdict === "problem").length;
    if (json) out.add([printable(JSON.stringify({ problems, findings, ...(mend && { mended }) }))]);
    else out.add([...mended.map(mendedLine(out)), ...findings.flatMap(findingLines(out)), "", summary(findings)]);
    return problems > 0 || mended.some(({ done }) => !done) ? 1 : 0;
  } finally {
    terminal.close();
  }
}

async function examineAll(options: DoctorOptions): Promise<Finding[]> {
  const { version, home, workspace } = options;
  const { examination, writer } = await options.examine();
  const { facts, sqlite } = examination;
  return [
    ...examineFolder(home),
    ...examineLog(examination),
    ...(facts ? await examineLock(writer, facts.nodes) : []),
    ...(facts ? examineNodes(facts, version, Date.now()) : []),
    ...(isUsable(home) ? [...examineServers(home, version), ...examineTokens(home)] : []),
    ...(await examineConfiguration(workspace, home, process.env)),
    ...(await examineEngine({ workspace, home, env: process.env }, options)),
    ...(await examineVersions({ dragoman: version, node: process.versions.node, sqlite, git: gitVersion })),
  ];
}

async function mendAll({ home, examine, openStore, endProcesses }: DoctorOptions): Promise<Mended[]> {
  const { examination } = await examine();
  return [
    ...(isUsable(home) ? [...closeFolder(home), ...closeTokens(home), ...forgetServers(home)] : []),
    ...(await mendStore({ examination, openStore, endProcesses })),
  ];
}

const signs: Record<Verdict, string> = { ok: "✓", warning: "!", problem: "✗" };
const WIDEST_ABOUT = 13;
const INDENT = " ".repeat(WIDEST_ABOUT + 4);

function findingLines({ paint, width }: Place) {
  const colours = { ok: paint.green, warning: paint.yellow, problem: paint.red };
  const rows = (text: string) => wordRows(plainText(text).replace(/\s+/g, " "), width - INDENT.length);
  return ({ about, verdict, text, mend }: Finding): string[] => {
    const [first = "", ...others] = rows(text);
    return [
      `${colours[verdict](signs[verdict])} ${cell(about, WIDEST_ABOUT)}  ${first}`,
      ...others.map((row) => INDENT + row),
      ...(mend === undefined ? [] : rows(`→ ${mend}`).map((row) => INDENT + paint.dim(row))),
    ];
  };
}

const mendedLine =
  ({ paint }: Place) =>
  ({ done, text }: Mended) =>
    `${done ? paint.green("mended") : paint.red("not mended")}  ${plainText(text)}`;

function summary(findings: Finding[]): string {
  const [problems, warnings] = (["problem", "warning"] as const).map(
    (verdict) => findings.filter((finding) => finding.verdict === verdict).length,
  );
  if (!problems && !warnings) return "All is well.";
  return [...(problems ? [count(problems, "problem")] : []), ...(warnings ? [count(warnings, "warning")] : [])].join(
    ", ",
  );
}
