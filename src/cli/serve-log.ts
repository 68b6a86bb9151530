import { type Clock, systemClock } from "../core/clock.ts";
import { plainText } from "../core/plain-text.ts";
import { Redactor } from "../core/redactor.ts";
import { type Log, type LogEntry, type LogLevel, logLevels } from "../transports/http/log.ts";
import { noColours, type Paint } from "./terminal/paint.ts";

interface ServeLogOptions {
  /** What is less than this is not told. */
  level: LogLevel;
  /** For a person at a terminal, or lines of JSON for a program. */
  form: "readable" | "json";
  write(line: string): void;
  /** Masks what must not be told, wherever it turns up. */
  redactor?: Redactor;
  paint?: Paint;
  clock?: Clock;
}

/** What happens in a server, a line for each thing. */
export function serveLog(options: ServeLogOptions): Log {
  const { level, form, write, redactor = new Redactor(), paint = noColours, clock = systemClock } = options;
  const line = form === "json" ? jsonLine : readableLine(paint);
  const least = logLevels.indexOf(level);
  return (entry) => {
    if (logLevels.indexOf(entry.level) < least) return;
    write(`${redactor.mask(line(new Date(clock.now()), entry))}\n`);
  };
}

const jsonLine = (at: Date, { level, event, ...fields }: LogEntry) =>
  escaped(JSON.stringify({ at: at.toISOString(), level, event, ...fields }));

/** Someone may read the lines on a terminal after all. */
const escaped = (json: string) =>
  json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );

const readableLine =
  (paint: Paint) =>
  (at: Date, { level, event, ...fields }: LogEntry): string => {
    const time = at.toTimeString().slice(0, 8);
    const said = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`${paint.dim(`${name}=`)}${readable(value)}`],
    );
    const shown = { debug: paint.dim, info: paint.cyan, warn: paint.yellow, error: paint.red }[level](level.padEnd(5));
    return [paint.dim(time), shown, event, ...said].join(" ");
  };

function readable(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const plain = plainText(text).replace(/\s+/g, " ");
  return typeof value === "string" && !/^[^\s"=]+$/.test(plain) ? JSON.stringify(plain) : plain;
}
