import { perform } from "./operations-script.ts";
import { scripted } from "./scripted.ts";
import { serveEngine } from "./serve-engine.ts";

// A server with an engine that says what it is asked to; a proxy before it has the name that is given.

await serveEngine(scripted(perform, "script"), process.argv.slice(2));
