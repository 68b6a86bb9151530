import type { Model } from "../../core/engine.ts";
import { DragomanError } from "../../core/errors.ts";
import { type ConfigOption, configOptionsSchema, type Opened, type Update } from "./wire.ts";

/** A request that makes the agent use something else. */
export interface Choosing {
  method: string;
  params: Record<string, string>;
}

interface Choice {
  id: string;
  name: string;
  description: string;
}

export interface ChoiceNote {
  level: "info" | "warning";
  text: string;
}

/** Words of modes in which an agent does things without asking anybody. */
const unasked =
  /yolo|autopilot|bypass|full.?access|unrestricted|allow.?all|auto(?:matically)?.?(?:approve|accept|edit|review)|accept.?edits|without (?:asking|approval|confirmation)|only ask for|edit workspace files|(?:classifier|handles) (?:to approve|permission)/i;

/** What can be chosen in an agent's session, and what is. Older agents have lists of models and modes, newer ones options with values. */
export class Choices {
  readonly #agent: string;
  readonly #sessionId: string;
  #models: Choice[] = [];
  #model: string | undefined;
  #modes: Choice[] = [];
  #mode: string | undefined;
  #options: ConfigOption[] = [];

  constructor(agent: string, sessionId: string, { models, modes, configOptions }: Opened) {
    this.#agent = agent;
    this.#sessionId = sessionId;
    this.#models = (models?.availableModels ?? []).map((each) => choiceOf(each.modelId, each));
    this.#model = models?.currentModelId ?? undefined;
    this.#modes = (modes?.availableModes ?? []).map((each) => choiceOf(each.id, each));
    this.#mode = modes?.currentModeId;
    this.#options = configOptions ?? [];
  }

  /** The one that is used. */
  get model(): string | undefined {
    return this.#listed("model").current;
  }

  models(): Model[] {
    const { choices } = this.#listed("model");
    return choices.map(({ id, name }) => ({ id, name }));
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
    if (modeId !== undefined) this.#setMode(modeId);
    if (configId !== undefined && value !== undefined) this.#set(configId, value);
  }

  /** What an update says about it, where that is to be told. */
  update(update: Update): ChoiceNote[] {
    const before = this.#state();
    if (update.sessionUpdate === "current_mode_update" && typeof update.currentModeId === "string") {
      this.#setMode(update.currentModeId);
    } else if (update.sessionUpdate === "config_option_update") this.#take(update);
    const after = this.#state();
    return [...after].flatMap(([what, choice]) => {
      const isNew = choice !== undefined && before.get(what)?.id !== choice.id && before.get(what) !== undefined;
      return isNew
        ? [{ level: isUnasked(choice) ? "warning" : "info", text: `${this.#agent}: ${what} is now “${choice.name}”.` }]
        : [];
    });
  }

  /** What whoever relies on being asked should know. */
  warning(): string | undefined {
    const { choices, current } = this.#listed("mode");
    const mode = choices.find(({ id }) => id === current);
    if (!mode || !isUnasked(mode)) return undefined;
    return `${this.#agent} is in its mode “${mode.name}”: it may do things without asking, and then no rule holds it back.`;
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

  /** The mode, and whether everything is allowed: Copilot has an option for that. */
  #state(): Map<string, Choice | undefined> {
    const { choices, current } = this.#listed("mode");
    const permissions = this.#options.filter(({ category }) => category === "permissions");
    return new Map([
      ["its mode", choices.find(({ id }) => id === current)],
      ...permissions.map(({ name, currentValue, options }): [string, Choice | undefined] => {
        const value = options.find((each) => each.value === currentValue);
        return [`“${name}”`, value && choiceOf(value.value, value)];
      }),
    ]);
  }

  #option(category: string): ConfigOption | undefined {
    return this.#options.find((each) => each.category === category);
  }

  #take(answer: unknown): void {
    this.#options = configOptionsSchema.safeParse(answer).data?.configOptions ?? this.#options;
  }

  /** Some agents have both a list and an option. */
  #setMode(mode: string): void {
    this.#mode = mode;
    const option = this.#option("mode");
    if (option?.options.some(({ value }) => value === mode)) this.#set(option.id, mode);
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

function choiceOf(id: string, { name, description }: { name?: string | null; description?: string | null }): Choice {
  return { id, name: name || id, description: description ?? "" };
}

function isMeant({ id, name }: Choice, wanted: string): boolean {
  const word = wanted.toLowerCase();
  return [id, name, id.slice(id.lastIndexOf("#") + 1)].some((each) => each.toLowerCase() === word);
}

function isUnasked({ id, name, description }: Choice): boolean {
  return unasked.test(`${id} ${name} ${description}`);
}

const MOST_NAMED = 30;

function named(choices: Choice[]): string {
  const shown = choices.slice(0, MOST_NAMED).map(({ id }) => id);
  return `${shown.join(", ")}${choices.length > MOST_NAMED ? ` and ${choices.length - MOST_NAMED} more` : ""}`;
}
