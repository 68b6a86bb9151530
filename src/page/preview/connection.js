import { connectionOf } from "./preview-server.js";
import { otherIn } from "./whose.js";

const NOT_FOUND = 404;

/** Which API a session is connected to, and which of its versions may ask it. */
export class Connection {
  /** What the description says of the API, where it is connected to, and what is kept for it. */
  about;
  #sessionId;
  #me;
  #versions;
  /** Versions of others that may work with live data. */
  #agreed = new Set();

  /** `versions()`: those that there are now. */
  constructor({ sessionId, me, versions }) {
    this.#sessionId = sessionId;
    this.#me = me;
    this.#versions = versions;
  }

  /** Who may only look sees sample data, and so does everybody where no description tells of an API. */
  async load() {
    if (!this.#me.mayPrompt) return;
    try {
      this.about = await connectionOf(this.#sessionId);
    } catch (error) {
      if (error.status !== NOT_FOUND) throw error;
    }
  }

  /** What that version works with. */
  of(version) {
    const { server, servers = [] } = this.about ?? {};
    const isLive = server && !this.#otherIn(version);
    return isLive ? { mode: "live", server } : { mode: "mock", server: servers[0] ?? "" };
  }

  /** Says whose version it is, where that keeps it from live data: those would be asked for with the credentials of whoever looks. */
  heldBack(version) {
    const other = this.about?.server ? this.#otherIn(version) : undefined;
    if (!other) return undefined;
    const { by } = this.#versions().find((one) => one.version === version) ?? {};
    return `Version ${version} ${by === other ? "was made by" : "goes back to a version of"} ${other}.`;
  }

  /** That version may have live data, and so may what is made of it. */
  agree(version) {
    this.#agreed.add(version);
  }

  #otherIn(version) {
    return otherIn(version, { versions: this.#versions(), me: this.#me.name, agreed: this.#agreed });
  }
}
