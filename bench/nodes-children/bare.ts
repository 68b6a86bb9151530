import { createInterface } from "node:readline";
import { DatabaseSync } from "@photostructure/sqlite";
import { inRhythm, now, stamp, stampsIn } from "./rhythm.ts";

// The least there is between two processes when what is told must be on disk: one commits a row and writes a line into a pipe, at
// whose other end is the other.

async function tell(path: string): Promise<void> {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec("CREATE TABLE events (seq INTEGER PRIMARY KEY, body TEXT)");
  const insert = db.prepare("INSERT INTO events (body) VALUES (?)");
  for await (const line of createInterface({ input: process.stdin })) {
    await inRhythm(JSON.parse(line), () => {
      const text = stamp();
      insert.run(text);
      process.stdout.write(`${text}\n`);
    });
    process.stdout.write("end\n");
  }
  db.close();
}

async function hear(): Promise<void> {
  let lags: number[] = [];
  for await (const line of createInterface({ input: process.stdin })) {
    lags.push(...stampsIn(line).map((at) => now() - at));
    if (line !== "end") continue;
    console.log(JSON.stringify({ result: lags }));
    lags = [];
  }
}

const [, , path] = process.argv;
await (path ? tell(path) : hear());
