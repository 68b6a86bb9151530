import { join } from "node:path";
import { serve } from "../cli/serve.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { perform } from "./operations-script.ts";
import { scripted } from "./scripted.ts";

// `dragoman serve` as it is, with an engine that says what it is asked to; a proxy before it has the name that is given.

const home = process.env.DRAGOMAN_HOME ?? "";
const unused = () => Promise.reject(new Error("not part of this"));

await serve({
  parts: {
    version: "0",
    place: () => home,
    openStore: () => openSqliteStore(join(home, "log.db")),
    engines: async () => [scripted(perform, "script")],
    examine: unused,
    recorded: unused,
  },
  workspace: process.cwd(),
  engine: "script",
  port: 0,
  host: "127.0.0.1",
  announce: true,
  untilStdinEnds: true,
  open: false,
  allowHost: process.argv.slice(2),
  withoutTls: false,
  logLevel: "warn",
});
