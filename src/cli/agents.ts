import { homedir } from "node:os";
import { readConfiguration } from "../config/configuration.ts";
import { plainText } from "../core/plain-text.ts";
import type { AgentReport } from "../engines/agents/agent-reports.ts";
import { dataFolder } from "../tools/data-folder.ts";
import { type Usual, usualEngine, writers } from "./chosen.ts";
import { cell } from "./columns.ts";
import type { Parts } from "./parts.ts";
import { fromHome } from "./sessions.ts";
import { printable } from "./terminal/event-frames.ts";
import type { Place } from "./terminal/screen.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { widthOf, wordRows } from "./terminal/text-width.ts";

export interface AgentsOptions {
  parts: Pick<Parts, "agents" | "version">;
  workspace: string;
  terminal: Terminal;
  /** One a line. */
  json: boolean;
}

/** Lists what can do the work in a folder, and what could. Resolves with the exit code of the process. */
export async function agents({ parts, workspace, terminal, json }: AgentsOptions): Promise<number> {
  const { out } = terminal;
  try {
    const configuration = await readConfiguration({ workspace, home: dataFolder(), env: process.env });
    const reports = [builtin(parts.version), ...(await parts.agents(configuration))];
    const usual = usualEngine(configuration);
    if (json) out.add(reports.map((report) => printable(JSON.stringify({ ...report, ...isUsual(report, usual) }))));
    else out.add([...table(reports, out, homedir()), "", ...closing(reports, usual)]);
    return 0;
  } finally {
    terminal.close();
  }
}

const builtin = (version: string): AgentReport => ({
  name: "builtin",
  title: "Built-in rules",
  source: "dragoman",
  found: true,
  version,
  missing: [],
  connect: 'dragoman run "<prompt>"',
});

const isUsual = ({ name, found }: AgentReport, { engine }: Usual) =>
  found && name === engine ? { usual: true } : undefined;

const configuredBy = { ...writers, environment: "DRAGOMAN_ACP_COMMAND" };

const GAP = "  ";

function table(reports: AgentReport[], { paint, width }: Pick<Place, "paint" | "width">, home: string): string[] {
  const widest = (texts: string[]) => Math.max(...texts.map(widthOf));
  const name = widest(["ENGINE", ...reports.map((report) => report.name)]);
  const version = widest(["VERSION", ...reports.map((report) => versionOf(report))]);
  const indent = " ".repeat(2 + name + GAP.length);
  const start = indent + " ".repeat(version + GAP.length);
  const rows = (text: string, left: string) =>
    wordRows(plainText(text).replace(/\s+/g, " "), Math.max(20, width - left.length));
  return [
    paint.dim(`  ${cell("ENGINE", name)}${GAP}${cell("VERSION", version)}${GAP}WHERE`),
    ...reports.flatMap((report) => {
      const [where = "", ...others] = rows(whereOf(report, home), start);
      const sign = report.found ? paint.green("✓") : paint.red("✗");
      const lacks = report.found ? report.missing : report.missing.slice(1); // the first stands where its place would
      return [
        `${sign} ${cell(plainText(report.name), name)}${GAP}${cell(versionOf(report), version)}${GAP}${where}`,
        ...others.map((row) => start + row),
        ...lacks.flatMap((text) => rows(text, indent)).map((row) => indent + row),
        ...rows(`→ ${report.connect}`, indent).map((row) => indent + paint.dim(row)),
      ];
    }),
  ];
}

const versionOf = ({ version = "-" }: AgentReport) => plainText(version);

function whereOf({ found, path, login, source, missing }: AgentReport, home: string): string {
  const place = path === undefined ? "part of Dragoman" : fromHome(path, home);
  const by = source === "dragoman" ? "" : `, by ${configuredBy[source]}`;
  if (!found) return `${missing[0] ?? "not here"}${by}`;
  return `${place}${by}${login === undefined ? "" : `, logs in with ${fromHome(login, home)}`}`;
}

function closing(reports: AgentReport[], { engine, by }: Usual): string[] {
  const isHere = reports.some(({ name, found }) => found && name === engine);
  return [
    `New sessions here are with ${plainText(engine)}, ${by}${isHere ? "." : ", which is not here: none can be started."}`,
    'Another one: --engine <name>, DRAGOMAN_ENGINE=<name>, or "engine" in dragoman.json',
  ];
}
