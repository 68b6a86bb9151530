import { DatabaseSync } from "@photostructure/sqlite";
import { TITLE } from "./payload.ts";

// The pipe without anything of ours: each notification is inserted, in FULL commits of 100, and then written as a line.

const BATCH = 100;

const db = new DatabaseSync(process.argv[2] ?? "");
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
db.exec("CREATE TABLE events (session INTEGER, seq INTEGER, body TEXT, PRIMARY KEY (session, seq))");
const insert = db.prepare("INSERT INTO events VALUES (1, ?, ?)");
const runId = "6f1f7a44-3c1b-4a43-9a35-5e0f8e5ad3c1";
let next = 0;

async function flood(count: number): Promise<void> {
  for (let done = 0; done < count; done += BATCH) {
    const lines: string[] = [];
    db.exec("BEGIN IMMEDIATE");
    for (let at = 0; at < BATCH; at++) {
      const seq = next++;
      const event = { type: "step_start", step_id: "step", title: TITLE, step_number: seq };
      const line = JSON.stringify({ jsonrpc: "2.0", method: "agent.event", params: { run_id: runId, seq, event } });
      insert.run(seq, line);
      lines.push(line, "\n");
    }
    db.exec("COMMIT");
    if (!process.stdout.write(lines.join(""))) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}

process.stdin.on("data", (data) => void flood(Number(String(data))));
process.stdin.on("end", () => process.exit(0));
