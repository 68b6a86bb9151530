import { type Clock, systemClock } from "../../core/clock.ts";
import type { Model } from "../../core/engine.ts";
import { unsupervised } from "../../tools/process-run.ts";
import { connectCopilot } from "./copilot-client.ts";
import { type CopilotOptions, type CopilotProvider, usesLogin } from "./copilot-options.ts";
import { within } from "./within.ts";

const KEPT_MS = 5 * 60_000;
const PROVIDER_MS = 3000;
const LOGIN_MS = 15_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** What there is to choose from; nothing, where that cannot be found out. */
export class CopilotModels {
  readonly #options: CopilotOptions;
  readonly #clock: Clock;
  #listed: { at: number; models: Promise<Model[]> } | undefined;

  constructor(options: CopilotOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async list(): Promise<Model[]> {
    const now = this.#clock.now();
    if (!this.#listed || now - this.#listed.at >= KEPT_MS) this.#listed = { at: now, models: this.#find() };
    const found = await this.#listed.models.catch(() => []);
    if (found.length > 0) return found;
    this.#listed = undefined; // there may be some the next time
    return this.#options.provider ? this.#named : [];
  }

  /** Those of the configuration. */
  get #named(): Model[] {
    const { model, models = [] } = this.#options;
    return [...new Set([...(model === undefined ? [] : [model]), ...models])].map((id) => ({ id, name: id }));
  }

  async #find(): Promise<Model[]> {
    const { provider, models = [] } = this.#options;
    if (models.length > 0) return this.#named;
    if (provider) return namedFirst(this.#named, await modelsOf(provider, this.#clock));
    return usesLogin(this.#options) ? namedFirst(this.#named, await modelsOfLogin(this.#options)) : [];
  }
}

/** The one of the configuration first, with all that is told of it. */
export function namedFirst(named: Model[], listed: Model[]): Model[] {
  const isSame = (one: Model) => (other: Model) => other.id === one.id;
  return [...named.map((one) => listed.find(isSame(one)) ?? one), ...listed.filter((one) => !named.some(isSame(one)))];
}

async function modelsOf(provider: CopilotProvider, clock: Clock): Promise<Model[]> {
  const over = new AbortController();
  try {
    return await within(PROVIDER_MS, fetchModels(provider, over.signal), clock);
  } finally {
    over.abort();
  }
}

async function fetchModels({ baseUrl, apiKey, type }: CopilotProvider, signal: AbortSignal): Promise<Model[]> {
  const url = `${baseUrl.replace(/\/+$/, "")}/models`;
  const key = type === "anthropic" ? "x-api-key" : type === "azure" ? "api-key" : "authorization";
  const headers = apiKey === undefined ? undefined : { [key]: key === "authorization" ? `Bearer ${apiKey}` : apiKey };
  const response = await fetch(url, { headers, signal, redirect: "error" });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return modelsIn(JSON.parse(await textUpTo(MOST_BYTES, response)));
}

async function textUpTo(most: number, { body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > most) throw new Error("the list of models is too long");
  }
  return text;
}

function modelsIn(body: unknown): Model[] {
  const listed: unknown = typeof body === "object" && body !== null && "data" in body ? body.data : body;
  if (!Array.isArray(listed)) throw new Error("that is no list of models");
  return listed.flatMap((each: unknown) => {
    if (typeof each !== "object" || each === null || !("id" in each) || typeof each.id !== "string") return [];
    const name = "name" in each && typeof each.name === "string" ? each.name : each.id;
    return [{ id: each.id, name }];
  });
}

/** Asked of a runtime that is there for this only. */
async function modelsOfLogin(options: CopilotOptions): Promise<Model[]> {
  const copilot = await connectCopilot(options, process.cwd(), unsupervised);
  try {
    const listed = await within(LOGIN_MS, copilot.client.listModels());
    return listed.map(({ id, name, capabilities: { limits, supports } }) => ({
      id,
      name,
      contextWindow: limits.max_context_window_tokens,
      maxOutput: limits.max_output_tokens,
      capabilities: supports.vision ? ["vision"] : [],
    }));
  } finally {
    await copilot.end();
  }
}
