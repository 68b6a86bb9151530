import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as esbuild from "esbuild";
import { beforeAll, expect, test, vi } from "vitest";
import { build, declare } from "../../scripts/build.mjs";
import { bundleUiChild } from "../testing/bundle-ui-child.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

// The package as others install it: packed, unpacked into a project of theirs, compiled against and run.

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const consumer = (...names: string[]) => at("consumer", ...names);

const program = `
import { UiClient, UiError, type AgentEvent, type RunHandle } from "dragoman/clients/ui";

const client: UiClient = await UiClient.spawn({
  command: process.execPath,
  args: [process.argv[2] ?? ""],
  client: { name: "consumer", version: "1" },
  handlers: { confirm: async ({ title }) => ({ ok: title === "Sure?" }) },
});
const run: RunHandle = await client.startRun({ text: "say 2" });
const texts: string[] = [];
for await (const update of run.events) {
  if (update.type !== "event") continue;
  const event: AgentEvent = update.event;
  if (event.type === "text" || event.type === "final") texts.push(event.content);
}
const { models } = await client.call("model.list", { provider: "x" });
const first: string | undefined = models[0];
export const said = async () => (await UiClient.spawn({ client: { name: "consumer", version: "1" } })).server.server.name;
// @ts-expect-error: there is no such method
await client.call("model.lists", {}).catch((error) => texts.push(String(error instanceof UiError && error.code)));
// @ts-expect-error: a model has a name
client.call("model.set", {}).catch(() => {});
await client.close();
const away: unknown = await UiClient.connect({
  ...{ url: "http://127.0.0.1:1", token: "drg_x", session: "s", after: 1 },
  client: { name: "consumer", version: "1" },
}).catch((error) => error);
if (away instanceof UiError) texts.push(String(away.code));
// @ts-expect-error: a server has an address
UiClient.connect({ client: { name: "consumer", version: "1" } }).catch(() => {});
process.stdout.write(JSON.stringify({ texts, first, done: await run.done }));
`;

const sidecarProgram = `
import { CallbackServer, findSidecar, SidecarClient, SidecarError, startSidecar } from "dragoman/clients/sidecar";
import type { EventData, SidecarEvent, StartedSidecar } from "dragoman/clients/sidecar";

const found = await findSidecar({ workspace: "." });
const started: StartedSidecar | undefined = found ? undefined : await startSidecar({ workspace: "." });
const client = new SidecarClient(found ?? (started as StartedSidecar));
const callbacks = await CallbackServer.listen({
  token: () => client.address.token,
  handlers: { "git.commit": async ({ type }, { signal }) => ({ type, late: signal.aborted }) },
  approve: ({ toolName }) => ({ approved: toolName === "git.commit", userMessage: "no" }),
});
const [models, created] = await client.batch([["models.list", {}], ["session.create", callbacks.params]]);
if (models instanceof SidecarError || created instanceof SidecarError) throw models;
const name: string | undefined = models.models[0]?.name;
await client.send({ sessionId: created.sessionId, prompt: name ?? "", permissions: { "git.push": "deny" } });
for await (const event of client.stream(created.sessionId, { after: "1.0" })) {
  const told: SidecarEvent = event;
  if (event.event !== "tool.approval") continue;
  const approval: EventData<"tool.approval"> = event.data;
  await client.approve({ sessionId: created.sessionId, askId: approval.askId, approved: told.id !== undefined });
}
// @ts-expect-error: a permission is one of three words
client.send({ sessionId: "s", prompt: "p", permissions: { "git.push": "maybe" } }).catch(() => {});
// @ts-expect-error: there is no such method
client.call("session.crate", {}).catch(() => {});
await callbacks.close();
await started?.close();
`;

const operationsProgram = `
import { OperationsClient, OperationsError } from "dragoman/clients/operations";
import type { OperationMessage, OperationStream } from "dragoman/clients/operations";

const client = new OperationsClient({ url: "http://127.0.0.1:1", token: "drg_x" });
const { operation_id, estimated_duration_seconds } = await client.start("001-login", "clarify");
const seconds: number = estimated_duration_seconds;
const stream: OperationStream = client.watch(operation_id, { after: seconds, reconnect: { baseMs: 100 } });
stream.on("dropped", (sequences) => sequences.includes(1));
for await (const message of stream) {
  const told: OperationMessage = message;
  if (told.metadata?.ask_id) await stream.answer(told.metadata.ask_id, "A");
}
const error: unknown = await stream.ended;
if (error instanceof OperationsError && error.closeCode === 4404) await client.save("001-login", "spec", "", { ifMatch: "e" });
// @ts-expect-error: there are three operations
client.start("001-login", "explain").catch(() => {});
`;

const liveProgram = `
import { connectLive, LiveError } from "dragoman/clients/live";
import type { Confirmation, DataOf, LiveClient, LiveMessage, LiveSession, RunEnd, SessionState } from "dragoman/clients/live";

const live: LiveClient = await connectLive({ url: "http://127.0.0.1:1", token: "drg_x" }, { credit: 10 });
const session: LiveSession = await live.open({
  purpose: "planning",
  tools: { deploy: async (args, { signal }) => ({ to: args.to, late: signal.aborted }) },
  confirm: ({ name, args }) => (name === "deploy" && args !== undefined ? true : { approved: false, reason: "no" }),
});
session.onConfirmation(({ ask_id }: Confirmation) => void session.approve(ask_id, { remember: true }));
session.onView(({ open_tool_calls, files_touched }: SessionState) => [open_tool_calls[0]?.call_id, files_touched]);
const end: RunEnd = await (await session.prompt("hi")).ended;
for await (const message of session) {
  const told: LiveMessage = message;
  if (message.type === "content_block_delta") message.data.delta.text.trim();
  if (told.type === "error") throw new LiveError(told.data.error_code, told.data.message);
}
const data: DataOf<"tool_call_response"> = await session.call("copilot_suggest", { problem: end.text });
const other = await live.attach(session.id, { after: session.cursor });
await other.answer("ask", { ids: [data.call_id] });
await connectLive({ port: 1, token: "drg_x" });
await connectLive({ socketPath: "/tmp/live.sock" });
await connectLive();
// @ts-expect-error: over TCP there has to be a token
connectLive({ port: 1 }).catch(() => {});
// @ts-expect-error: that is for the client itself
session.take({}, 1);
`;

const studioProgram = `
import { connectStudio, StudioError, StudioHost } from "dragoman/clients/studio";
import type { HostState, StudioClient } from "dragoman/clients/studio";

const options = { clientName: "consumer", clientVersion: "1" };
const client: StudioClient | undefined = await connectStudio(options).catch((error) => {
  if (error instanceof StudioError) return undefined;
  throw error;
});
client?.on("log", (line) => line.trim());
export const said = async () => (await connectStudio(options)).server.serverName.trim();
// @ts-expect-error: whoever calls has a name
connectStudio({}).catch(() => {});
const host = new StudioHost(options, { env: { allow: ["OPENAI_API_KEY"] } }, { table: { chat: { timeoutMs: 1, waitsMs: [] } } });
host.on("state", ({ state, reason }: { state: HostState; reason: string }) => reason.includes(state));
await host.chat("hi", { context: { tabId: "1" }, onRetry: ({ tries }) => tries.toFixed() }).catch(() => {});
// @ts-expect-error: a runtime does not get a whole environment
export const wrong = () => new StudioHost(options, { env: { PATH: "/bin" } });
`;

const settings = {
  compilerOptions: {
    module: "nodenext",
    moduleResolution: "nodenext",
    target: "es2023",
    strict: true,
    skipLibCheck: false,
    types: ["node"],
    allowJs: true,
    checkJs: true,
    outDir: "out",
    rootDir: ".",
  },
  files: [
    ...["program.ts", "sidecar-program.ts", "operations-program.ts", "live-program.ts", "studio-program.ts"],
    ...["ui-client.mjs", "ide-plugin/plugin.mjs", "operations-client.mjs", "live-client.mjs", "studio-client.mjs"],
    "desktop/desk.mjs",
  ],
};

/** What the package depends on is installed beside it. */
function installDependencies(): void {
  mkdirSync(consumer("node_modules"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(root, "node_modules", name), consumer("node_modules", name));
  }
}

async function installPackage(): Promise<void> {
  mkdirSync(at("package"));
  for (const name of ["package.json", "docs", "recordings"]) {
    cpSync(join(root, name), at("package", name), { recursive: true });
  }
  await build(at("package", "dist"));
  await declare(at("package", "dist", "types"));
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder.path];
  const { stdout } = await run("npm", args, { cwd: at("package") });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  mkdirSync(consumer("node_modules", "dragoman"));
  await run("tar", ["xzf", at(filename), "--strip-components=1", "-C", consumer("node_modules", "dragoman")]);
}

beforeAll(async () => {
  installDependencies();
  await installPackage();
  writeFileSync(consumer("package.json"), JSON.stringify({ name: "consumer", type: "module" }));
  writeFileSync(consumer("tsconfig.json"), JSON.stringify(settings));
  writeFileSync(consumer("program.ts"), program);
  writeFileSync(consumer("sidecar-program.ts"), sidecarProgram);
  writeFileSync(consumer("operations-program.ts"), operationsProgram);
  writeFileSync(consumer("live-program.ts"), liveProgram);
  writeFileSync(consumer("studio-program.ts"), studioProgram);
  for (const name of readdirSync(join(root, "examples"))) {
    cpSync(join(root, "examples", name), consumer(name), { recursive: true });
  }
});

test("a project that installs the package compiles against it and runs", async () => {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const compiled = await run(process.execPath, [compiler, "-p", consumer()]).catch((error) => error);
  expect(compiled.stdout).toBe("");
  const child = await bundleUiChild(folder.path);
  const { stdout } = await run(process.execPath, [consumer("out", "program.js"), child], { cwd: consumer() });
  expect(JSON.parse(stdout)).toEqual({
    texts: ["text 0", "text 1", "done", "-32601", "closed"],
    done: { status: "completed", final: "done" },
  });
});

test("the example starts the package's own runtime, asks, hears a yes, and prints the answer", async () => {
  const prompt = "write a file example.txt with the text hello";
  const env = { ...process.env, DRAGOMAN_HOME: at("home") };
  const example = spawn(process.execPath, [consumer("ui-client.mjs"), prompt], { cwd: consumer(), env });
  let [stdout, stderr] = ["", ""];
  example.stdout.on("data", (data) => (stdout += data));
  example.stderr.on("data", (data) => (stderr += data));
  const code = new Promise((resolve) => example.on("close", resolve));
  await vi.waitFor(() => expect(stderr).toContain("y or n: "), 20_000);
  example.stdin.write("y\n");
  expect([await code, stdout.trim() === ""]).toEqual([0, false]);
  expect(readFileSync(consumer("example.txt"), "utf8").trim()).toBe("hello");
});

test("a program that leaves without closing leaves no runtime behind", async () => {
  const child = await bundleUiChild(folder.path);
  const leave = `
    import { UiClient } from "dragoman/clients/ui";
    const options = { command: process.execPath, client: { name: "x", version: "1" } };
    const args = [${JSON.stringify(child)}, "--lingering"];
    const clients = [await UiClient.spawn({ ...options, args }), await UiClient.spawn({ ...options, args })];
    process.stdout.write(JSON.stringify(clients.map((client) => Number(client.server.server.version))));
    process.exit();`;
  writeFileSync(consumer("leave.mjs"), leave);
  const { stdout } = await run(process.execPath, [consumer("leave.mjs")]);
  const pids: number[] = JSON.parse(stdout);
  await vi.waitFor(() => {
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  }, 10_000);
});

test.each(["process.exit()", 'process.kill(process.pid, "SIGKILL")'])(
  "a program that leaves by %s leaves no server behind",
  async (leave) => {
    const program = `
      import { startSidecar } from "dragoman/clients/sidecar";
      const { pid } = await startSidecar({ workspace: "." });
      process.stdout.write(String(pid), () => ${leave});`;
    writeFileSync(consumer("leave-server.mjs"), program);
    const env = { ...process.env, DRAGOMAN_HOME: at("home") };
    const options = { cwd: consumer(), env };
    const { stdout } = await run(process.execPath, [consumer("leave-server.mjs")], options).catch((error) => error);
    await vi.waitFor(() => expect(() => process.kill(Number(stdout), 0)).toThrow("ESRCH"), 15_000);
  },
);

test.each(["ui", "sidecar"])("the %s client itself, without what starts a process, runs in a browser", async (name) => {
  const { errors, outputFiles } = await esbuild.build({
    entryPoints: [fileURLToPath(new URL(`${name}/client.ts`, import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  expect(errors).toEqual([]);
  expect(outputFiles[0]?.text).not.toMatch(/\b(process|Buffer|require)\b[.(]/);
});

test.each(["live", "studio", "ui"])(
  "a program for browsers that bundles the %s client has nothing of Node in it",
  async (name) => {
    const contents = `export * from "dragoman/clients/${name}"`;
    const { errors, outputFiles } = await esbuild.build({
      stdin: { contents, resolveDir: consumer() },
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
    });
    expect([errors, outputFiles[0]?.text.match(/node:\w+/g)]).toEqual([[], null]);
  },
);
