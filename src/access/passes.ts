import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import type { Grant } from "./grant.ts";

const MOST = 1000;
const PASS_BYTES = 32;

interface Entry {
  grant: Grant;
  expiresAt: number;
  /** Forgets it. */
  drop(): void;
}

/** Random texts that stand for a grant for a while, in memory only. Each is gone when its time is over or the grant ends. */
export class Passes {
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  /** In the order in which they were issued. Found by a digest under a key of our own, so that the time it takes tells nothing. */
  readonly #entries = new Map<string, Entry>();
  readonly #key = randomBytes(32);

  constructor(clock: Clock, lifetimeMs: number) {
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  issue(grant: Grant): string {
    const pass = randomBytes(PASS_BYTES).toString("base64url");
    const place = this.#placeOf(pass);
    const drop = () => {
      if (!this.#entries.delete(place)) return;
      callOff();
      grant.revoked.removeEventListener("abort", drop);
    };
    const callOff = this.#clock.after(this.#lifetimeMs, drop, "in background");
    this.#entries.set(place, { grant, expiresAt: this.#clock.now() + this.#lifetimeMs, drop });
    grant.revoked.addEventListener("abort", drop);
    if (grant.revoked.aborted) drop();
    if (this.#entries.size > MOST) this.#makeRoom();
    return pass;
  }

  find(pass: string): Grant | undefined {
    const entry = this.#entries.get(this.#placeOf(pass));
    if (!entry) return undefined;
    if (this.#clock.now() < entry.expiresAt) return entry.grant;
    entry.drop(); // its timer is late
    return undefined;
  }

  /** As `find`, and never again. */
  take(pass: string): Grant | undefined {
    const grant = this.find(pass);
    this.drop(pass);
    return grant;
  }

  drop(pass: string): void {
    this.#entries.get(this.#placeOf(pass))?.drop();
  }

  /** The oldest goes, of whoever has the most: nobody can push out the others. */
  #makeRoom(): void {
    const counts = new Map<string, number>();
    for (const { grant } of this.#entries.values()) {
      counts.set(grant.caller.id, (counts.get(grant.caller.id) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    const oldest = [...this.#entries.values()].find(({ grant }) => counts.get(grant.caller.id) === most);
    oldest?.drop();
  }

  #placeOf(pass: string): string {
    return createHmac("sha256", this.#key).update(pass).digest("base64url");
  }
}
