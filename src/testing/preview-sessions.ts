import { createTwoFilesPatch } from "diff";
import { DragomanError } from "../core/errors.ts";
import { generate } from "../generator/generate.ts";
import type { AuthScheme } from "../generator/kit/descriptor.ts";
import { readDescription } from "../generator/reading/read-description.ts";
import { understand } from "../generator/understanding/understand.ts";
import type { GivenDescription, PreviewSessions } from "../preview/preview-options.ts";

export interface MadeVersion {
  version: number;
  kind: "generation" | "customization" | "rollback";
  at: number;
  prompt: string;
  description: string;
  assumptions?: string[];
  runId: string;
  code: string;
}

interface Made {
  title: string;
  servers: string[];
  auth: AuthScheme[];
  versions: MadeVersion[];
}

/** Sessions with interfaces, in memory: what the preview works with, without engines and logs. */
export class MadeSessions implements PreviewSessions {
  readonly all = new Map<string, Made>();
  #ids = 0;

  newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`;
  }

  /** A session whose interface is this code. */
  add(code: string, about: Partial<Pick<Made, "title" | "servers" | "auth">> = {}): string {
    const sessionId = this.newId();
    this.all.set(sessionId, { title: "Made", servers: [], auth: [], versions: [], ...about });
    this.addVersion(sessionId, { kind: "generation", prompt: "Generate it", description: "Generated.", code });
    return sessionId;
  }

  addVersion(sessionId: string, about: Omit<MadeVersion, "version" | "at" | "runId">): MadeVersion {
    const { versions } = this.#made(sessionId);
    const version = versions.length + 1;
    const made = { ...about, version, at: Date.UTC(2026, 0, 1, 12, version), runId: `run-${version}` };
    versions.push(made);
    return made;
  }

  version(sessionId: string, version?: number): MadeVersion {
    const { versions } = this.#made(sessionId);
    const found = version === undefined ? versions.at(-1) : versions.find((one) => one.version === version);
    if (!found) throw new DragomanError("invalid_params", `There is no version ${version}.`);
    return found;
  }

  diff(sessionId: string, from: number, to: number): string {
    const [before, after] = [this.version(sessionId, from), this.version(sessionId, to)];
    return createTwoFilesPatch("a", "b", before.code, after.code);
  }

  async codeOf(sessionId: string, version: number | undefined) {
    const made = this.all.get(sessionId);
    return made?.versions.find((one) => one.version === (version ?? made.versions.length))?.code;
  }

  async apiOf(sessionId: string) {
    const { title, servers, auth } = this.all.get(sessionId) ?? {};
    return title === undefined ? undefined : { title, servers: servers ?? [], auth: auth ?? [] };
  }

  async begin(sessionId: string | undefined, { name, text }: GivenDescription) {
    const { spec } = readDescription([{ name, text }]);
    const { code, description } = generate(spec, { theme: "light" });
    const { servers, auth } = understand(spec).api;
    if (sessionId === undefined) return this.#begun(this.add(code, { title: spec.metadata.title, servers, auth }));
    this.addVersion(sessionId, { kind: "generation", prompt: `Generate it from ${name}`, description, code });
    return this.#begun(sessionId);
  }

  #begun(sessionId: string) {
    return { sessionId, runId: this.version(sessionId).runId };
  }

  #made(sessionId: string): Made {
    const made = this.all.get(sessionId);
    if (!made) throw new DragomanError("session_not_found", "There is no such session.");
    return made;
  }
}
