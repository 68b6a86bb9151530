import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { makePrivateFolder, readPrivateFile, writePrivateFile } from "../config/private-file.ts";
import { codeOf } from "../config/text-file.ts";
import { mayBeRunning, thisProcess } from "../core/process-identity.ts";

const MAX_BYTES = 100_000;
const NAME = /^\d+\.json$/;

const serverSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  pid: z.int().positive(),
  workspace: z.string(),
  version: z.string(),
  /** An ISO time. */
  startedAt: z.string(),
  /** Where it speaks the `live` protocol besides: a Unix socket, and a TCP port of this machine. */
  live: z.object({ socket: z.string().optional(), port: z.int().positive().optional() }).optional(),
});

const fileSchema = serverSchema.extend({
  /** So that another process that got the same pid later is not taken for it. */
  process: z.object({ host: z.string(), pid: z.int(), startedAt: z.string() }),
});

/** A server of this data folder, for programs that look for one. */
export type RunningServer = z.infer<typeof serverSchema>;

const folderOf = (home: string) => join(home, "servers");

/** Tells the user's other programs where this process serves. The function that is returned takes it back. */
export async function announceServer(home: string, server: RunningServer): Promise<() => void> {
  const path = join(folderOf(home), `${server.pid}.json`);
  await makePrivateFolder(folderOf(home));
  const text = JSON.stringify({ ...serverSchema.parse(server), process: thisProcess() }, null, 2);
  await writePrivateFile(path, `${text}\n`);
  return () => rmSync(path, { force: true });
}

/** What a server wrote, and whether it is still there. */
export interface AnnouncedServer {
  server: RunningServer;
  isRunning: boolean;
  /** Takes away what it wrote. */
  forget(): void;
}

/** Of all that were announced and did not take it back, the latest started first. */
export function announcedServers(home: string): AnnouncedServer[] {
  const found = namesIn(folderOf(home)).flatMap((name): AnnouncedServer[] => {
    const path = join(folderOf(home), name);
    const announced = read(path);
    if (!announced) return [];
    const { process, ...server } = announced;
    return [{ server, isRunning: mayBeRunning(process), forget: () => rmSync(path, { force: true }) }];
  });
  return found.sort((a, b) => Date.parse(b.server.startedAt) - Date.parse(a.server.startedAt));
}

/** Those whose process is there. What the others left is taken away. */
export function runningServers(home: string): RunningServer[] {
  return announcedServers(home).flatMap(({ server, isRunning, forget }) => {
    if (isRunning) return [server];
    forget();
    return [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Nothing for what is not as a server wrote it: it may be one of another version, and is let be. */
function read(path: string): z.infer<typeof fileSchema> | undefined {
  try {
    return fileSchema.parse(JSON.parse(readPrivateFile(path, MAX_BYTES) ?? ""));
  } catch {
    return undefined;
  }
}
