import { existsSync, rmSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { runningServers } from "../access/running-servers.ts";
import { SignIns } from "../access/sign-ins.ts";
import { TokenBook } from "../access/token-book.ts";
import { TokenFiles } from "../access/token-files.ts";
import { writePrivateFile } from "../config/private-file.ts";
import { DragomanError } from "../core/errors.ts";
import { Redactor } from "../core/redactor.ts";
import { type FeatureSettings, type FeatureStore, featureStore } from "../operations/features/index.ts";
import { dataFolder } from "../tools/data-folder.ts";
import { openNode } from "./open-node.ts";
import type { ServeOptions } from "./serve.ts";
import { serveLog } from "./serve-log.ts";
import type { LogOutput } from "./serve-output.ts";
import { serveServer } from "./serve-server.ts";
import { takenBy } from "./serve-taken.ts";
import { tlsOf } from "./serve-tls.ts";
import { colours, noColours } from "./terminal/paint.ts";

/** Within this clients have read that the server stops. */
const FAREWELL_MS = 1000;

/** So many of the latest sign-ins of programs are looked for in whatever is written down; none of ours ever writes one. */
const MOST_SIGN_INS = 50;

export type Serving = Awaited<ReturnType<typeof openServing>>;

/** A node with a server on it that does not listen yet. */
export async function openServing(options: ServeOptions, output: LogOutput) {
  const { parts, workspace, callback, allowHost: hosts } = options;
  const { version } = parts;
  const home = dataFolder();
  const tls = tlsOf(options);
  const { book: tokens, firstToken } = await TokenBook.open(home);
  const { tokenFile } = tokens;
  const admin = firstToken ?? new TokenFiles(home).readAdminToken() ?? "";
  const untold = join(home, "token-untold"); // of a start that failed before it could tell the token that it made
  if (firstToken !== undefined) await writePrivateFile(untold, "");
  const tokenToTell = existsSync(untold) ? admin : undefined;
  const { node, log, addSecret, addSignIn } = await openLoggedNode(options, output, admin);
  tokens.onProblem = ({ message }) => log({ level: "error", event: "tokens.unusable", message });
  tokens.onShown = addSecret;
  const signIns = new SignIns({
    keptIn: { home, tokens },
    onProblem: ({ message }) => log({ level: "error", event: "signins.unusable", message }),
    onShown: addSignIn,
  });
  const folder = await realpath(workspace);
  const features = await currentFeatures(folder, node.features);
  const about = { node, workspace: folder, features, tokens, signIns, callback, hosts, tls, version, log };
  const { http, live, plugins, operations, services } = serveServer(about);
  const { runtime, store } = node;
  let closing: Promise<void> | undefined;
  const closeAll = async (graceMs: number) => {
    await runtime.stop(graceMs, { leaveWaiting: true }); // first: whoever listens sees how the runs end
    await plugins.close();
    operations.close();
    await Promise.all([http.close(FAREWELL_MS), live.close(FAREWELL_MS)]);
    await signIns.close();
    tokens.close();
    await store.close();
  };
  return {
    about: { home, workspace, version, tokenFile, firstToken: tokenToTell },
    /** To be called when the first token is about to be told: it is told once. */
    tellsToken: () => rmSync(untold, { force: true }),
    log,
    http,
    runtime,
    services,
    /** Where `live` is spoken besides HTTP, if that is wanted. */
    listenLive: async () => {
      const { liveSocket: path, livePort: port } = options;
      if (path === undefined && port === undefined) return undefined;
      const named = (wanted: { socket?: string; port?: number }) => (problem: unknown) => {
        throw takenBy(runningServers(home), problem, wanted);
      };
      return {
        ...(path !== undefined && { socket: await live.listenAtPath(path).catch(named({ socket: path })) }),
        ...(port !== undefined && { port: await live.listenAtPort(port).catch(named({ port })) }),
      };
    },
    /** The code of a link that signs in once. */
    newLink: () => {
      const grant = tokens.verify(admin);
      if (!grant) throw new DragomanError("unauthorized", `The token in ${tokenFile} has changed. Start it anew.`);
      return signIns.newLink(grant);
    },
    /** The first call counts. */
    close: (graceMs: number) => {
      closing ??= closeAll(graceMs);
      return closing;
    },
  };
}

/** As they are configured when they are used: the file may be changed, or the folder trusted, while the server runs. */
async function currentFeatures(folder: string, settings: (folder: string) => Promise<FeatureSettings>) {
  let latest = featureStore(folder, await settings(folder));
  const now = async () => {
    latest = featureStore(folder, await settings(folder));
    return latest;
  };
  const features: FeatureStore = {
    get kind() {
      return latest.kind;
    },
    get pushes() {
      return latest.pushes;
    },
    list: async (limit) => (await now()).list(limit),
    read: async (feature, names) => (await now()).read(feature, names),
    checkSavable: async (feature) => (await now()).checkSavable(feature),
    save: async (feature, changes, options) => (await now()).save(feature, changes, options),
  };
  return features;
}

async function openLoggedNode(options: ServeOptions, output: LogOutput, adminToken: string) {
  const { parts, workspace, engine, model, logLevel: level } = options;
  const warnings: string[] = [];
  const around = { secrets: [adminToken], warn: (message: string) => void warnings.push(message) };
  const node = await openNode(parts, workspace, { engine, model }, { title: "serve", startsQueued: true }, around);
  const { isTTY } = process.stderr;
  const paint = isTTY && !process.env.NO_COLOR ? colours : noColours;
  const redactor = new Redactor(node.secrets);
  const log = serveLog({ level, form: isTTY ? "readable" : "json", write: output.write, redactor, paint });
  for (const message of warnings) log({ level: "warn", event: "configuration.doubtful", message });
  const addSecret = (secret: string) => {
    redactor.add(secret);
    node.runtime.addSecret(secret);
  };
  const signIns: string[] = [];
  const addSignIn = (signIn: string) => {
    addSecret(signIn);
    signIns.push(signIn);
    const oldest = signIns.length > MOST_SIGN_INS ? signIns.shift() : undefined;
    if (oldest === undefined) return;
    redactor.forget(oldest);
    node.runtime.forgetSecret(oldest);
  };
  return { node, log, addSecret, addSignIn };
}
