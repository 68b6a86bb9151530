import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * A thread on the file `name` beside the one that asks, whose `import.meta.url` is given. In the bundled command all files that are
 * threads lie beside each other.
 */
export function startThread(beside: string, name: string, options: WorkerOptions = {}): Worker {
  if (!beside.endsWith(".ts")) return new Worker(new URL(`./${name}.js`, beside), options);
  // From source, in tests and benchmarks: a thread does not inherit the loader that made this file into JavaScript.
  const tsx = new URL("dist/esm/api/index.mjs", pathToFileURL(createRequire(beside).resolve("tsx/package.json")));
  const [loader, entry] = [JSON.stringify(tsx), JSON.stringify(new URL(`./${name}.ts`, beside))];
  const script = `import(${loader}).then(({ register }) => { register(); return import(${entry}); })`;
  return new Worker(script, { ...options, eval: true, execArgv: [] });
}
