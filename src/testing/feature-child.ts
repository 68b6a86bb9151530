import { DragomanError } from "../core/errors.ts";
import { featureStore } from "../operations/features/index.ts";

// Another process that saves in the same repository, for tests: it appends lines to documents, each upon what it has just read, and
// tells which of them it was told are saved.

const [workspace = "", feature = "", who = "", rounds = "0"] = process.argv.slice(2);
const store = featureStore(workspace, {});
const names = ["spec", "plan", "task"] as const;
const saved: string[] = [];
const refused: Record<string, number> = {};

for (let round = 0; round < Number(rounds); round++) {
  const name = names[(round + Number(who)) % names.length] ?? "spec";
  const [before] = await store.read(feature, [name]);
  const line = `${who}-${round}\n`;
  try {
    const change = { name, content: `${before?.content ?? ""}${line}`, ifMatch: before?.etag ?? null };
    await store.save(feature, [change], { message: line });
    saved.push(`${name} ${line.trim()}`);
  } catch (error) {
    const code = error instanceof DragomanError ? error.code : String(error);
    refused[code] = (refused[code] ?? 0) + 1;
  }
}
process.stdout.write(JSON.stringify({ saved, refused }));
