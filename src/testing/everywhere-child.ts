import { scripted } from "./scripted.ts";
import { serveEngine } from "./serve-engine.ts";

// A server with an engine that says something, changes a file, for which it has to ask, and says something more. Told to wait, it asks and
// then goes on until it is cancelled.

const engine = scripted(async (turn, io, signal) => {
  await io.emit({ type: "thinking.delta", text: "What is wanted? " });
  for (const text of ["Looking ", "at the notes.\n"]) await io.emit({ type: "text.delta", text, of: "answer" });
  await io.tool("write", { path: "notes.txt", content: `${turn.input.text}\n` });
  if (turn.input.text === "wait") await new Promise((resolve) => signal.addEventListener("abort", resolve));
  signal.throwIfAborted();
  await io.emit({ type: "text.delta", text: "The notes are ", of: "answer" });
  await io.emit({ type: "text.delta", text: "written.", of: "answer" });
  return { text: "The notes are written." };
}, "script");

await serveEngine(engine);
