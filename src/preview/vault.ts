import { join } from "node:path";
import * as z from "zod";
import { type Clock, systemClock } from "../core/clock.ts";
import { DragomanError } from "../core/errors.ts";
import { SealedFile } from "./sealed-file.ts";
import { checkRoom, latestOf } from "./vault-room.ts";

const secret = z.string().min(1).max(16_384);
export const credentialSchema = z.union([
  z.strictObject({ token: secret }),
  z.strictObject({ username: z.string().max(1000), password: z.string().max(16_384) }),
]);
export type Credential = z.infer<typeof credentialSchema>;

const heldSchema = z.strictObject({ credential: credentialSchema, setAt: z.string() });
const connectionSchema = z.strictObject({
  owner: z.string(),
  origin: z.string(),
  /** By the id of the scheme. */
  credentials: z.record(z.string(), heldSchema),
  /** Whether it was on this machine or in a private network when it was connected to. The oldest do not say. */
  inside: z.boolean().optional(),
});
const sessionSchema = z.strictObject({ owner: z.string(), sessionId: z.string(), server: z.string() });
const contentSchema = z.strictObject({
  connections: z.array(connectionSchema),
  sessions: z.array(sessionSchema),
});
export type Content = z.infer<typeof contentSchema>;

const MOST_CONNECTIONS = 200;
const MOST_SESSIONS = 1000;
const ALL_FULL =
  "There is no room for more credentials. Forget those for APIs that you no longer use, or have others do so with theirs.";

/** What of a connection may be told: that something is there, never what. */
export interface ToldConnection {
  /** Scheme, host and port. */
  origin: string;
  schemes: { id: string; setAt: string }[];
  /** The sessions that are connected to it. */
  sessions: string[];
}

/** What the proxy works with, and nobody else. */
export interface OpenConnection {
  server: string;
  origin: string;
  credentials: Record<string, Credential>;
  /** It is known to have been on this machine or in a private network when it was connected to. */
  inside: boolean;
}

/** Who connects which session to which API. */
export interface ConnectionWanted {
  owner: string;
  sessionId: string;
  server: string;
  /** By the id of the scheme; null takes what is there away, and what is not named stays. */
  credentials: Record<string, Credential | null>;
  /** Whether it is on this machine or in a private network now; left out where nobody looked. */
  inside?: boolean;
}

/**
 * The connections that people made from the preview to their APIs, with the credentials for them. A connection belongs to the token with
 * which it was made: nobody else uses it, or learns of it.
 */
export class Vault {
  readonly #file: SealedFile;
  readonly #clock: Clock;

  constructor(home: string, clock: Clock = systemClock) {
    this.#file = new SealedFile(join(home, "connections"), "connections", ALL_FULL);
    this.#clock = clock;
  }

  async connect({ owner, sessionId, server, credentials, inside }: ConnectionWanted): Promise<void> {
    const origin = originOf(server);
    const setAt = new Date(this.#clock.now()).toISOString();
    await this.#change((content) => {
      const before = content.connections.find((one) => one.owner === owner && one.origin === origin);
      const held = { ...before?.credentials };
      for (const [id, credential] of Object.entries(credentials)) {
        if (credential === null) delete held[id];
        else held[id] = { credential, setAt };
      }
      const others = content.connections.filter((one) => one !== before);
      const connections = [...others, { owner, origin, credentials: held, inside }];
      const sessions = [...withoutSession(content, owner, sessionId), { owner, sessionId, server }];
      const after = {
        connections: latestOf(connections, MOST_CONNECTIONS),
        sessions: latestOf(sessions, MOST_SESSIONS),
      };
      checkRoom(owner, content, after);
      return after;
    });
  }

  /** The session is back to sample data. The credentials stay for the next time. */
  async disconnect(owner: string, sessionId: string): Promise<void> {
    if (!this.#sessionOf(owner, sessionId)) return;
    await this.#change((content) => ({ ...content, sessions: withoutSession(content, owner, sessionId) }));
  }

  /** Nothing of a connection is left, and sessions that had it are back to sample data. */
  async forget(owner: string, origin: string): Promise<void> {
    await this.#change(({ connections, sessions }) => ({
      connections: connections.filter((one) => one.owner !== owner || one.origin !== origin),
      sessions: sessions.filter((one) => one.owner !== owner || originOf(one.server) !== origin),
    }));
  }

  told(owner: string): ToldConnection[] {
    const { connections, sessions } = this.#content();
    return connections
      .filter((one) => one.owner === owner)
      .map(({ origin, credentials }) => ({
        origin,
        schemes: Object.entries(credentials).map(([id, { setAt }]) => ({ id, setAt })),
        sessions: sessions
          .filter((one) => one.owner === owner && originOf(one.server) === origin)
          .map(({ sessionId }) => sessionId),
      }));
  }

  /** Where a session is connected to. */
  serverOf(owner: string, sessionId: string): string | undefined {
    return this.#sessionOf(owner, sessionId)?.server;
  }

  /** With its credentials: for requests, and for nothing that is told to anyone. */
  open(owner: string, sessionId: string): OpenConnection | undefined {
    const content = this.#content();
    const server = content.sessions.find((one) => one.owner === owner && one.sessionId === sessionId)?.server;
    if (server === undefined) return undefined;
    const origin = originOf(server);
    const connection = content.connections.find((one) => one.owner === owner && one.origin === origin);
    const held = Object.entries(connection?.credentials ?? {});
    const credentials = Object.fromEntries(held.map(([id, { credential }]) => [id, credential]));
    return { server, origin, credentials, inside: connection?.inside ?? false };
  }

  #sessionOf(owner: string, sessionId: string) {
    return this.#content().sessions.find((one) => one.owner === owner && one.sessionId === sessionId);
  }

  #content(): Content {
    return parsed(this.#file.read());
  }

  #change(change: (content: Content) => Content): Promise<void> {
    return this.#file.change((text) => JSON.stringify(change(parsed(text))));
  }
}

function parsed(text: string | undefined): Content {
  return text === undefined ? { connections: [], sessions: [] } : contentSchema.parse(JSON.parse(text));
}

const withoutSession = ({ sessions }: Content, owner: string, sessionId: string) =>
  sessions.filter((one) => one.owner !== owner || one.sessionId !== sessionId);

/** Scheme, host and port of an address that an API may have. */
export function originOf(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.host === "")
    throw new DragomanError("invalid_params", "The address of an API begins with http:// or https://.");
  if (url.username || url.password)
    throw new DragomanError("invalid_params", "The address holds a user name or password. Enter them below it.");
  return url.origin;
}
