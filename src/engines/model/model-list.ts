import { type Clock, systemClock } from "../../core/clock.ts";
import type { Model } from "../../core/engine.ts";
import { endpointFetch, textUpTo } from "./endpoint-fetch.ts";
import { endpointUrl, type ModelOptions } from "./model-options.ts";

const KEPT_MS = 5 * 60_000;
/** Whoever asks an engine for its models waits 3 s, and is to get those of the configuration then. */
const LONGEST_MS = 2500;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** What there is to choose from: as configured, or as the endpoint says. */
export class ModelList {
  readonly #options: ModelOptions;
  readonly #clock: Clock;
  #listed: { at: number; models: Promise<Model[]> } | undefined;
  #latest: Model[] = [];

  constructor(options: ModelOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async list(): Promise<Model[]> {
    const { models = [] } = this.#options;
    if (models.length > 0) return this.#named;
    const now = this.#clock.now();
    if (!this.#listed || now - this.#listed.at >= KEPT_MS) this.#listed = { at: now, models: this.#ask() };
    const found = await this.#listed.models.catch(() => []);
    if (found.length === 0) this.#listed = undefined; // there may be some the next time
    this.#latest = namedFirst(this.#named, found);
    return this.#latest;
  }

  /** How many tokens a model takes, where that is known without asking. */
  windowOf(model: string): number | undefined {
    return this.#options.contextWindow ?? this.#latest.find(({ id }) => id === model)?.contextWindow;
  }

  get #named(): Model[] {
    const { model, models = [], contextWindow } = this.#options;
    const ids = new Set([...(model === undefined ? [] : [model]), ...models]);
    return [...ids].map((id) => ({ id, name: id, ...(contextWindow !== undefined && { contextWindow }) }));
  }

  async #ask(): Promise<Model[]> {
    const over = new AbortController();
    const callOff = this.#clock.after(LONGEST_MS, () => over.abort());
    try {
      return await fetchModels(this.#options, over.signal);
    } finally {
      callOff();
    }
  }
}

/** Those of the configuration first, with all that is told of them. */
function namedFirst(named: Model[], listed: Model[]): Model[] {
  const isSame = (one: Model) => (other: Model) => other.id === one.id;
  return [
    ...named.map((one) => ({ ...listed.find(isSame(one)), ...one })),
    ...listed.filter((one) => !named.some(isSame(one))),
  ];
}

async function fetchModels(options: ModelOptions, signal: AbortSignal): Promise<Model[]> {
  const { apiKey, contextWindow } = options;
  const ask = endpointFetch(options, () => {});
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const response = await ask(endpointUrl(options, "/models"), { headers, signal });
  const models = modelsIn(JSON.parse(await textUpTo(MOST_CHARACTERS, response)));
  return contextWindow === undefined ? models : models.map((model) => ({ ...model, contextWindow }));
}

function modelsIn(body: unknown): Model[] {
  const listed: unknown = isObject(body) && "data" in body ? body.data : body;
  if (!Array.isArray(listed)) throw new Error("that is no list of models");
  return listed.flatMap((each: unknown) => {
    if (!isObject(each) || typeof each.id !== "string") return [];
    const { id, name } = each;
    const window = [each.context_length, each.max_model_len, each.context_window].find(isCount);
    return [{ id, name: typeof name === "string" ? name : id, ...(window !== undefined && { contextWindow: window }) }];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value > 0;
