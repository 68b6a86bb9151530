import { answerSchemas } from "../../../core/asks.ts";
import { DragomanError } from "../../../core/errors.ts";
import type { EventOf } from "../../../core/events.ts";
import { shownQuestion } from "../../question.ts";
import { optionMeant, optionsOf } from "./question-options.ts";

type Ask = EventOf<"ask.opened">;

/** What core is answered with, from what a person or a program gave: core's own form, or the words of someone who reads the question. */
export function givenAnswer(ask: Ask, given: unknown): unknown {
  if (ask.kind === "tool") {
    throw new DragomanError("forbidden", "Only the client that executes the tool answers this, by its result.");
  }
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return inCoreForm(ask, given);
  if (ask.kind === "prompt") return { value: textOf(ask, given) };
  if (ask.kind === "confirm")
    return { ok: meant(ask, given === true ? "yes" : given === false ? "no" : given) === "yes" };
  if (ask.allowText && typeof given === "string") return pickedOrOwnWords(ask, given);
  const chosen = Array.isArray(given) ? given : [given];
  const ids = [...new Set(chosen.map((one) => meant(ask, one)))];
  if (ids.length === 0 || (ids.length > 1 && !ask.multi)) throw unfit(ask);
  return { ids };
}

/** What is no option is said in one's own words, where that is allowed. */
function pickedOrOwnWords(ask: Ask, given: string): unknown {
  const option = optionMeant(optionsOf(shownQuestion(ask)), given);
  if (option) return { ids: [option.id] };
  const text = given.trim();
  if (text === "") throw unfit(ask);
  return { ids: [], text };
}

function inCoreForm(ask: Ask, given: object): unknown {
  const parsed = answerSchemas[ask.kind].safeParse(given);
  if (!parsed.success) throw unfit(ask);
  const { data } = parsed;
  if ("ids" in data) {
    const known = new Set(ask.items?.map(({ id }) => id));
    const picksRightly = data.ids.every((id) => known.has(id)) && (data.ids.length <= 1 || ask.multi);
    const speaksRightly = data.text === undefined || (ask.allowText && data.text !== "");
    if (!picksRightly || !speaksRightly) throw unfit(ask);
  }
  return data;
}

function textOf(ask: Ask, given: unknown): string {
  if (typeof given !== "string") throw unfit(ask);
  return given;
}

function meant(ask: Ask, said: unknown): string {
  const option = typeof said === "string" ? optionMeant(optionsOf(shownQuestion(ask)), said) : undefined;
  if (!option) throw unfit(ask);
  return option.id;
}

/** Says what can be answered, and does not repeat what was. */
function unfit(ask: Ask): DragomanError {
  const options = optionsOf(shownQuestion(ask));
  const letters = options.map(({ letter }) => letter).join(", ");
  const several = ask.multi ? "; several make a list" : "";
  const own = ask.allowText ? ", or in your own words" : "";
  const advice =
    options.length > 0 ? `Answer with one of ${letters}, its id or its words${several}${own}.` : "Answer with a text.";
  const allowText = ask.allowText && { allow_text: true };
  const details = { ask_id: ask.askId, kind: ask.kind, multi: ask.multi ?? false, ...allowText, options };
  return new DragomanError("invalid_params", `This is no answer to the question. ${advice}`, details);
}
