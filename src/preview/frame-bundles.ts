import { createHash } from "node:crypto";
import type { RefusedConstruct } from "../checking/find-refused.ts";
import { refusedIn } from "../checking/refused-in.ts";
import { bundle } from "./bundle.ts";

const MOST_BUNDLES = 24;
const MOST_CODE = 32 * 1024 * 1024;

/** What a frame is shown: the script, or why there is none. */
export type FrameBundle = { script: string } | { refused: string };

export interface FrameBundlesOptions {
  packageFolder: string;
  /** Where the frame's own script is. */
  frameFolder: string;
}

/** Interfaces as scripts for their frame. The latest are kept, by what their code is. */
export class FrameBundles {
  readonly #options: FrameBundlesOptions;
  readonly #made = new Map<string, Promise<FrameBundle>>();

  constructor(options: FrameBundlesOptions) {
    this.#options = options;
  }

  of(code: string): Promise<FrameBundle> {
    const key = createHash("sha256").update(code).digest("base64");
    const made = this.#made.get(key) ?? this.#make(code);
    this.#made.delete(key); // the latest used stays the longest
    this.#made.set(key, made);
    made.catch(() => this.#made.delete(key)); // it may go better the next time
    const oldest = this.#made.size > MOST_BUNDLES ? this.#made.keys().next().value : undefined;
    if (oldest !== undefined) this.#made.delete(oldest);
    return made;
  }

  async #make(code: string): Promise<FrameBundle> {
    if (code.length > MOST_CODE) return { refused: "This interface is too large to be shown." };
    const refused = await refusedIn(code);
    if (refused.length > 0) return { refused: refusalOf(refused) };
    const { packageFolder, frameFolder: resolveDir } = this.#options;
    return { script: await bundle({ code, packageFolder, start: { contents: 'import "./start.js";', resolveDir } }) };
  }
}

const SHOWN = 5;

/** In words. */
function refusalOf(refused: readonly RefusedConstruct[]): string {
  const places = refused.slice(0, SHOWN).map(({ what, line, column }) => `${what} (line ${line}, column ${column})`);
  const more = refused.length > SHOWN ? ` and ${refused.length - SHOWN} more` : "";
  return `This code is not run, since it uses what an interface has no business with: ${places.join(", ")}${more}.`;
}
