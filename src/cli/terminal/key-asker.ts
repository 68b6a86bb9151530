import type { Answer } from "../../core/engine.ts";
import type { EventOf, Question } from "../../core/events.ts";
import { shownQuestion } from "../../dialects/question.ts";
import type { Asker, AskerEnd } from "./asker.ts";
import { ChoiceList } from "./choice-list.ts";
import type { Key } from "./keyboard.ts";
import { LineEditor } from "./line-editor.ts";
import { questionLines } from "./question-lines.ts";
import type { Below, Screen } from "./screen.ts";
import { cut, widthOf } from "./text-width.ts";
import { oneLine } from "./wording.ts";

/** Nobody reads a question in less: a key that comes so soon was meant for something else. */
const SETTLE_MS = 150;

const MOST_CHOICES = 10;
const ROWS_AROUND = 6;

interface KeyAskerOptions extends Pick<AskerEnd, "answer"> {
  screen: Screen;
  /** Whether the question itself is drawn here too. */
  drawsQuestions: boolean;
  /** Something else is to be seen. */
  onChange(): void;
}

interface Asking {
  askId: string;
  opened: EventOf<"ask.opened">;
  question: Question;
  /** Of what is being typed; a confirm has one while its reason is typed. */
  editor?: LineEditor;
  list?: ChoiceList;
}

/** Asks where answers are keys. A key that was hit before its question could be read is no answer to it. */
export class KeyAsker implements Asker {
  readonly #options: KeyAskerOptions;
  #waiting: EventOf<"ask.opened">[] = [];
  #asking: Asking | undefined;
  #ready = false;
  #settling: NodeJS.Timeout | undefined;

  constructor(options: KeyAskerOptions) {
    this.#options = options;
  }

  open(opened: EventOf<"ask.opened">): void {
    this.#waiting.push(opened);
    if (!this.#asking) this.#next();
  }

  closed(askId: string): void {
    this.#waiting = this.#waiting.filter((ask) => ask.askId !== askId);
    if (this.#asking?.askId === askId) this.#next();
  }

  closeAll(): void {
    this.#waiting = [];
    this.#next();
  }

  /** Whether the key was meant for the ask. */
  press(key: Key): boolean {
    const asking = this.#asking;
    if (!asking) return false;
    if (!this.#ready) return true; // hit before it could be read
    if (asking.list) this.#pick(asking.list, key);
    else if (asking.editor) this.#type(asking.editor, key, asking);
    else return this.#decide(key, asking);
    this.#options.onChange();
    return true;
  }

  below(): Below | undefined {
    if (!this.#asking || !this.#ready) return undefined;
    const { list, editor, question, opened } = this.#asking;
    if (list) return this.#listBelow(list, question);
    return editor
      ? this.#editorBelow(editor, question)
      : { lines: this.#hints(confirmHints(question, this.#isCut(opened))) };
  }

  #next(): void {
    clearTimeout(this.#settling);
    this.#ready = false;
    const opened = this.#waiting.shift();
    this.#asking = opened && begin(opened);
    this.#options.onChange();
    if (!opened) return;
    if (this.#options.drawsQuestions) this.#drawQuestion(opened, false);
    this.#settling = setTimeout(() => {
      this.#ready = true;
      this.#options.onChange();
    }, SETTLE_MS);
  }

  #answer(answer: Answer): void {
    const askId = this.#asking?.askId;
    if (askId === undefined) return;
    this.#next();
    this.#options.answer(askId, answer);
  }

  #decide(key: Key, asking: Asking): boolean {
    const { allowRemember, allowReason } = asking.question;
    const name = key.inWords ? "" : key.text.toLowerCase();
    if (name === "y") this.#answer({ ok: true });
    else if (name === "n") this.#answer({ ok: false });
    else if (name === "a" && allowRemember) this.#answer({ ok: true, remember: true });
    else if (name === "r" && allowReason) asking.editor = new LineEditor();
    else if (name === "d") this.#drawQuestion(asking.opened, true);
    else return false;
    this.#options.onChange();
    return true;
  }

  #type(editor: LineEditor, key: Key, asking: Asking): void {
    const isReason = asking.question.kind === "confirm";
    const cancels = key.name === "escape" || (key.ctrl && key.name === "d" && editor.text === "");
    if (cancels && isReason) asking.editor = undefined;
    else if (cancels) this.#answer({ value: null });
    else if (key.name !== "return") asking.editor = editor.press(key);
    else if (!isReason) this.#answer({ value: editor.text });
    else if (editor.text.trim() !== "") this.#answer({ ok: false, reason: editor.text.trim() });
  }

  #pick(list: ChoiceList, key: Key): void {
    const after = list.press(key);
    if (after instanceof ChoiceList) {
      if (this.#asking) this.#asking.list = after;
    } else this.#answer(after);
  }

  #drawQuestion(opened: EventOf<"ask.opened">, whole: boolean): void {
    const { screen } = this.#options;
    screen.add(["", ...questionLines(opened, screen, { whole, more: MORE_BY_KEY })]);
  }

  /** Whether there is more of it than fits on the screen as it is now. */
  #isCut(opened: EventOf<"ask.opened">): boolean {
    const { screen } = this.#options;
    const [whole, shown] = [true, false].map((all) => questionLines(opened, screen, { whole: all, more: "" }).length);
    return whole !== shown;
  }

  #editorBelow(editor: LineEditor, { kind, secret }: Question): Below {
    const prefix = kind === "confirm" ? "Because: " : "> ";
    const { text, cursor } = secret
      ? { text: "", cursor: 0 }
      : editor.view(this.#options.screen.width - prefix.length - 2);
    const hints =
      kind === "confirm" ? ["Enter says no, and why", "Esc goes back"] : ["Enter sends it", "Esc gives no answer"];
    const lines = [prefix + text, ...this.#hints(secret ? ["what you type is not shown", ...hints] : hints)];
    return { lines, cursor: prefix.length + cursor };
  }

  #listBelow(list: ChoiceList, { multi }: Question): Below {
    const { screen } = this.#options;
    const rows = Math.max(2, Math.min(MOST_CHOICES, screen.rows - ROWS_AROUND));
    const how = multi ? ["Space or a number marks", "Enter takes them"] : ["Enter or a number picks"];
    return { lines: [...list.lines(rows, screen.paint), ...this.#hints(["↑ ↓ move", ...how, "Esc picks none"])] };
  }

  /** As many in a row as fit. */
  #hints(hints: string[]): string[] {
    const { width, paint } = this.#options.screen;
    const rows: string[] = [];
    for (const hint of hints) {
      const together = rows.length > 0 ? `${rows.at(-1)} · ${hint}` : hint;
      if (rows.length > 0 && widthOf(together) < width) rows[rows.length - 1] = together;
      else rows.push(hint);
    }
    return rows.map(paint.bold);
  }
}

export const MORE_BY_KEY = "; press d to see all";

function begin(opened: EventOf<"ask.opened">): Asking {
  const question = shownQuestion(opened);
  const { askId, kind, items = [], multi = false, defaultValue, secret } = opened;
  if (kind === "pick") return { askId, opened, question, list: new ChoiceList(items, multi) };
  if (kind === "prompt") return { askId, opened, question, editor: new LineEditor(secret ? "" : (defaultValue ?? "")) };
  return { askId, opened, question };
}

/** The label is the engine's; that it is a yes or a no is ours to say. */
function confirmHints(question: Question, isCut: boolean): string[] {
  const { confirmLabel, cancelLabel, allowRemember, allowReason, diff } = question;
  const labelled = (key: string, word: string, label = "") =>
    label === "" || label.toLowerCase() === word ? `${key} ${word}` : `${key} ${word} (${cut(oneLine(label), 24)})`;
  return [
    labelled("y", "yes", confirmLabel),
    labelled("n", "no", cancelLabel),
    ...(allowReason ? ["r no, because …"] : []),
    ...(allowRemember ? ["a yes, and from now on"] : []),
    ...(isCut ? [diff ? "d whole diff" : "d all of it"] : []),
  ];
}
