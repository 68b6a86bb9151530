import { element, setText } from "./element.js";
import { call } from "./server.js";

/**
 * What a new session is to work with. Nothing waits for the lists: until they are there it is what is usual for the server, and what leaves
 * no choice is not asked.
 */
export class EngineChoice {
  #engine;
  #model;
  #note;

  /** `engine` and `model` are selects in labels of theirs; `note` says why there are no models. */
  constructor({ engine, model, note }) {
    this.#engine = engine;
    this.#model = model;
    this.#note = note;
    engine.addEventListener("change", () => this.#engineChosen());
    // An agent that could not say its models in time, or was not started yet, perhaps can now.
    engine.addEventListener("focus", () => this.#loadModels());
    this.forget();
  }

  /** As params of the call that makes it. */
  get chosen() {
    const [engine, model] = [this.#engine.value, this.#model.value];
    return { ...(engine && { engine }), ...(engine && model && { model }) };
  }

  async load() {
    const { engines } = await call("engines.list");
    const usual = engines.find((engine) => engine.default)?.name;
    const isNew = offer(
      this.#engine,
      engines.map(({ name }) => ({ value: name, text: name })),
      usual,
    );
    if (isNew) await this.#engineChosen();
  }

  forget() {
    offer(this.#engine, []);
    this.#offerModels({ models: [] });
  }

  async #engineChosen() {
    this.#offerModels({ models: [] });
    await this.#loadModels();
  }

  async #loadModels() {
    const engine = this.#engine.value;
    const failed = ({ message }) => ({ models: [], note: message });
    const offered = await call("models.list", { engine }).catch(failed);
    if (engine === this.#engine.value) this.#offerModels(offered);
  }

  #offerModels({ models, current, note = "" }) {
    const usual = { value: "", text: current ? `Usual (${current})` : "Usual" };
    const named = models.map(({ id, name }) => ({ value: id, text: name }));
    offer(this.#model, named.length > 1 ? [usual, ...named] : [], "");
    setText(this.#note, note);
  }
}

/** What was chosen stays chosen as long as it is there. Whether there is anything new: a select that is open is not drawn again for nothing. */
function offer(select, choices, usual) {
  const looks = JSON.stringify([choices, usual]);
  if (select.dataset.looks === looks) return false;
  const before = select.value;
  select.dataset.looks = looks;
  select.replaceChildren(...choices.map(({ value, text }) => element("option", { value }, text)));
  select.value = choices.some(({ value }) => value === before) ? before : (usual ?? "");
  select.parentElement.hidden = choices.length < 2;
  return true;
}
