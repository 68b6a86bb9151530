// One description, given on stdin, in a process of its own: what became of it, how long it took and how much memory at most.
// The process is started without the right to read files; what tries to is told, and so is what asks for a connection.
import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { asDragomanError } from "../src/core/errors.ts";
import { emitModule } from "../src/generator/emitting/emit-module.ts";
import { readDescription } from "../src/generator/reading/read-description.ts";
import { understand } from "../src/generator/understanding/understand.ts";

export interface CorpusRow {
  outcome: "interface" | "refused" | "crashed";
  /** Why there is none. */
  message?: string;
  resources: number;
  lists: number;
  operations: number;
  warnings: number;
  /** Of the module. */
  codeBytes: number;
  ms: { read: number; understand: number; emit: number; whole: number };
  peakMb: number;
  /** What the processor spent on it, which does not depend on what else it does. */
  cpuMs: number;
  connections: number;
}

type Judged = Omit<CorpusRow, "peakMb" | "cpuMs" | "connections">;

let connections = 0;
Socket.prototype.connect = () => {
  connections++;
  throw new Error("a connection was asked for");
};

const settings = { theme: "light", layout: "side", includeAuth: true, pagination: true } as const;

function outcomeOf(name: string, description: string): Judged {
  const from = performance.now();
  const { spec, warnings } = readDescription([{ name, text: description }]);
  const readAt = performance.now();
  const model = understand(spec);
  const understoodAt = performance.now();
  const code = emitModule(model, settings);
  const emittedAt = performance.now();
  const operations = [spec.endpoints, spec.queries, spec.mutations].reduce((sum, list) => sum + (list?.length ?? 0), 0);
  return {
    outcome: "interface",
    resources: model.resources.length,
    lists: model.resources.filter(({ lists }) => lists.length > 0).length,
    operations,
    warnings: warnings.length + model.warnings.length,
    codeBytes: Buffer.byteLength(code),
    ms: {
      read: readAt - from,
      understand: understoodAt - readAt,
      emit: emittedAt - understoodAt,
      whole: emittedAt - from,
    },
  };
}

function judged(name: string, description: string): Judged {
  const from = performance.now();
  try {
    return outcomeOf(name, description);
  } catch (error) {
    const { code, message } = asDragomanError(error);
    const whole = performance.now() - from;
    const refused = code === "spec_invalid" || code === "too_large";
    const ms = { read: whole, understand: 0, emit: 0, whole };
    const nothing = { resources: 0, lists: 0, operations: 0, warnings: 0, codeBytes: 0, ms };
    return { outcome: refused ? "refused" : "crashed", message: `${code}: ${message}`, ...nothing };
  }
}

const description = await text(process.stdin);
const before = process.cpuUsage();
const row = judged(process.argv[2] ?? "description", description);
const { user, system } = process.cpuUsage(before);
const cpuMs = (user + system) / 1000;
const peakMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ ...row, peakMb, cpuMs, connections }));
