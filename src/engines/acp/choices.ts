import type { Model } from "../../core/engine.ts";
import { DragomanError } from "../../core/errors.ts";
import {
  Agreed,
  type Choice,
  type Choosing,
  choiceIn,
  choiceOf,
  isUnasked,
  type Stance,
  type Straying,
} from "./stances.ts";
import { type ConfigOption, configOptionsSchema, type Opened, type Update } from "./wire.ts";

export interface ChoiceNote {
  level: "info" | "warning";
  text: string;
}

const MODE = "its mode";

/** What can be chosen in an agent's session, and what is. Older agents have lists of models and modes, newer ones options with values. */
export class Choices {
  readonly #agent: string;
  readonly #sessionId: string;
  #models: Choice[] = [];
  #model: string | undefined;
  #modes: Choice[] = [];
  #mode: string | undefined;
  #options: ConfigOption[] = [];
  readonly #agreed = new Agreed();

  constructor(agent: string, sessionId: string, { models, modes, configOptions }: Opened) {
    this.#agent = agent;
    this.#sessionId = sessionId;
    this.#models = (models?.availableModels ?? []).map((each) => choiceOf(each.modelId, each));
    this.#model = models?.currentModelId ?? undefined;
    this.#modes = (modes?.availableModes ?? []).map((each) => choiceOf(each.id, each));
    this.#mode = modes?.currentModeId;
    this.#options = configOptions ?? [];
    this.#agreed.meet(this.#stances());
  }

  /** The one that is used. */
  get model(): string | undefined {
    return this.#listed("model").current;
  }

  /** The one that is wanted first, or the one that is used. */
  models(first = this.model): Model[] {
    const { choices } = this.#listed("model");
    const models = choices.map(({ id, name }) => ({ id, name }));
    return [...models.filter(({ id }) => id === first), ...models.filter(({ id }) => id !== first)];
  }

  /** How the model is chosen; nothing where it is the one that is used. Throws where there is none like that. */
  choosingModel(wanted: string): Choosing | undefined {
    const { choices, current } = this.#listed("model");
    if (choices.length === 0) {
      throw new DragomanError(
        "invalid_params",
        `${this.#agent} does not let its model be chosen. Leave the model out.`,
      );
    }
    const option = this.#option("model");
    const isValue = option?.options.some(({ value }) => value === wanted);
    if (isValue || this.#models.some(({ id }) => id === wanted)) {
      if (wanted === (isValue ? option?.currentValue : (this.#model ?? current))) return undefined;
      return isValue ? this.#setting("model", wanted) : this.#request("session/set_model", { modelId: wanted });
    }
    throw new DragomanError("invalid_params", `${this.#agent} has no model "${wanted}". It has ${named(choices)}.`);
  }

  choosingMode(wanted: string): Choosing | undefined {
    const { choices, current } = this.#listed("mode");
    const mode = choices.find((each) => isMeant(each, wanted));
    if (!mode) {
      const there = choices.length > 0 ? `It has ${named(choices)}.` : "It has no modes.";
      throw new DragomanError("invalid_params", `${this.#agent} has no mode "${wanted}". ${there}`);
    }
    if (mode.id === current) return undefined;
    return this.#modes.length > 0
      ? this.#request("session/set_mode", { modeId: mode.id })
      : this.#setting("mode", mode.id);
  }

  /** It was chosen. An agent may answer with all of its options as they are then. */
  chose({ params }: Choosing, answer: unknown): void {
    this.#take(answer);
    const { modelId, modeId, configId, value } = params;
    this.#model = modelId ?? this.#model;
    const isMode = modeId !== undefined || (configId !== undefined && this.#option("mode")?.id === configId);
    const chosen = modeId ?? value;
    if (isMode && chosen !== undefined) this.#setMode(chosen);
    else if (configId !== undefined && value !== undefined) this.#set(configId, value);
    for (const { key, current } of this.#stances()) {
      const isChosen = key === `option ${configId}` || (isMode && current.id === chosen);
      if (isChosen) this.#agreed.agree(key, current.id);
    }
    this.#agreed.meet(this.#stances());
  }

  /** What an update says about it, where that is to be told. Where the agent has strayed, `strayed` tells. */
  update(update: Update): ChoiceNote[] {
    const before = new Map(this.#stances().map(({ key, current }) => [key, current.id]));
    if (update.sessionUpdate === "current_mode_update" && typeof update.currentModeId === "string") {
      this.#setMode(update.currentModeId);
    } else if (update.sessionUpdate === "config_option_update") this.#take(update);
    const met = this.#agreed.meet(this.#stances()).filter(({ current }) => isUnasked(current));
    const changed = this.#stances().filter(({ key, current }) => before.has(key) && before.get(key) !== current.id);
    const told = changed.filter((stance) => !this.#agreed.isLeft(stance));
    const texts = told.map(({ what, current }) => `${this.#agent}: ${what} is now “${current.name}”.`);
    return [
      ...[...new Set(texts)].map((text): ChoiceNote => ({ level: "info", text })),
      ...met.map(({ what, current }): ChoiceNote => ({ level: "warning", text: this.#warningOf(what, current) })),
    ];
  }

  /** What the agent has changed by itself so that it need not ask. A change to what is stricter, or back to what was chosen, is its own affair. */
  strayed(): Straying[] {
    return this.#agreed.strayed(this.#stances());
  }

  /** What whoever relies on being asked should know. */
  warning(): string | undefined {
    const stance = this.#stances().find(({ current }) => isUnasked(current));
    return stance && this.#warningOf(stance.what, stance.current);
  }

  #warningOf(what: string, { name }: Choice): string {
    const how = what === MODE ? `is in its mode “${name}”` : `has ${what} set to “${name}”`;
    return `${this.#agent} ${how}: it may do things without asking, and then no rule holds it back.`;
  }

  #listed(category: "model" | "mode"): { choices: Choice[]; current: string | undefined } {
    const option = this.#option(category);
    if (option) {
      return { choices: option.options.map((each) => choiceOf(each.value, each)), current: option.currentValue };
    }
    return category === "model"
      ? { choices: this.#models, current: this.#model }
      : { choices: this.#modes, current: this.#mode };
  }

  /** The mode, which some agents have both in a list and as an option, and whether everything is allowed: Copilot has an option for that. */
  #stances(): Stance[] {
    const listed: Stance[] = [];
    if (this.#mode !== undefined) {
      const choosing = (modeId: string) => this.#request("session/set_mode", { modeId });
      const current = choiceIn(this.#modes, this.#mode);
      listed.push({ key: "mode", what: MODE, choices: this.#modes, current, choosing });
    }
    const options = this.#options.filter(({ category }) => category === "mode" || category === "permissions");
    return [...listed, ...options.map((option) => this.#stanceOf(option))];
  }

  #stanceOf({ id, name, category, currentValue, options }: ConfigOption): Stance {
    const choices = options.map((each) => choiceOf(each.value, each));
    return {
      key: `option ${id}`,
      what: category === "mode" ? MODE : `“${name}”`,
      choices,
      current: choiceIn(choices, currentValue),
      choosing: (value) => this.#request("session/set_config_option", { configId: id, value }),
    };
  }

  #option(category: string): ConfigOption | undefined {
    return this.#options.find((each) => each.category === category);
  }

  #take(answer: unknown): void {
    this.#options = configOptionsSchema.safeParse(answer).data?.configOptions ?? this.#options;
  }

  #setMode(mode: string): void {
    const option = this.#option("mode");
    const hasList = this.#modes.length > 0;
    if (hasList) this.#mode = mode;
    if (option && (!hasList || option.options.some(({ value }) => value === mode))) this.#set(option.id, mode);
  }

  #set(id: string, currentValue: string): void {
    this.#options = this.#options.map((each) => (each.id === id ? { ...each, currentValue } : each));
  }

  #setting(category: string, value: string): Choosing {
    return this.#request("session/set_config_option", { configId: this.#option(category)?.id ?? category, value });
  }

  #request(method: string, params: Record<string, string>): Choosing {
    return { method, params: { sessionId: this.#sessionId, ...params } };
  }
}

function isMeant({ id, name }: Choice, wanted: string): boolean {
  const word = wanted.toLowerCase();
  return [id, name, id.slice(id.lastIndexOf("#") + 1)].some((each) => each.toLowerCase() === word);
}

const MOST_NAMED = 30;

function named(choices: Choice[]): string {
  const shown = choices.slice(0, MOST_NAMED).map(({ id }) => id);
  return `${shown.join(", ")}${choices.length > MOST_NAMED ? ` and ${choices.length - MOST_NAMED} more` : ""}`;
}
