import { scripted } from "./scripted.ts";
import { serveEngine } from "./serve-engine.ts";

// A server with an engine that says as much as it is told to, or asks.

const LINE = `${"word ".repeat(40)}\n`;

const engine = scripted(async (turn, io) => {
  const [what, count = "0"] = turn.input.text.split(" ");
  if (what === "ask") await io.ask({ kind: "confirm", title: "Go on?", message: "" });
  for (let left = Number(count); left > 0; left--) await io.emit({ type: "text.delta", text: LINE, of: "answer" });
  return { text: "That was all." };
}, "script");

await serveEngine(engine);
