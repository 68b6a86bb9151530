import { LONGEST_OWN_WORDS } from "../../core/asks.ts";
import type { Answer } from "../../core/engine.ts";
import { type EventOf, OWN_WORDS_ITEM, type Question } from "../../core/events.ts";
import { shownQuestion } from "../../dialects/question.ts";
import type { Asker, AskerEnd } from "./asker.ts";
import { type Choice, ChoiceList } from "./choice-list.ts";
import type { Key } from "./keyboard.ts";
import { LineEditor } from "./line-editor.ts";
import { questionLines } from "./question-lines.ts";
import type { Below, Screen } from "./screen.ts";
import { cut, widthOf } from "./text-width.ts";
import { oneLine } from "./wording.ts";

/** Nobody reads a question in less: a key that comes so soon was meant for something else. */
const SETTLE_MS = 150;

const MOST_CHOICES = 10;
const MOST_CHOICE_ROWS = 16;
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
  /** Of what is being typed; a confirm has one while its reason is typed, a choice while it is said in one's own words. */
  editor?: LineEditor;
  list?: ChoiceList;
  /** What was typed before the list was looked at again. */
  draft?: LineEditor;
}

/** Asks where answers are keys. A key that was hit before its question could be read is no answer to it. */
export class KeyAsker implements Asker {
  readonly #options: KeyAskerOptions;
  #waiting: EventOf<"ask.opened">[] = [];
  #asking: Asking | undefined;
  /** Answered, and not closed yet: what came of it is drawn before the next question is. */
  #answered: string | undefined;
  #ready = false;
  #settling: NodeJS.Timeout | undefined;

  constructor(options: KeyAskerOptions) {
    this.#options = options;
  }

  open(opened: EventOf<"ask.opened">): void {
    this.#waiting.push(opened);
    if (this.#answered === opened.askId) this.#answered = undefined; // nobody heard the answer
    if (!this.#asking && this.#answered === undefined) this.#next();
  }

  closed(askId: string): void {
    this.#waiting = this.#waiting.filter((ask) => ask.askId !== askId);
    if (this.#asking?.askId !== askId && this.#answered !== askId) return;
    this.#answered = undefined;
    this.#next();
  }

  closeAll(): void {
    this.#waiting = [];
    this.#answered = undefined;
    this.#next();
  }

  /** Whether the key was meant for the ask. */
  press(key: Key): boolean {
    const asking = this.#asking;
    if (!asking) return false;
    if (!this.#ready) return true; // hit before it could be read
    if (asking.editor) this.#type(asking.editor, key, asking);
    else if (asking.list) this.#pick(asking.list, key, asking);
    else return this.#decide(key, asking);
    this.#options.onChange();
    return true;
  }

  below(): Below | undefined {
    if (!this.#asking || !this.#ready) return undefined;
    const { list, editor, question, opened } = this.#asking;
    if (editor) return this.#editorBelow(editor, question);
    if (list) return this.#listBelow(list, question);
    return { lines: this.#hints(confirmHints(question, this.#isCut(opened))) };
  }

  #next(): void {
    const opened = this.#waiting.shift();
    this.#put(opened && begin(opened));
    if (!opened) return;
    if (this.#options.drawsQuestions) this.#drawQuestion(opened, false);
    this.#settling = setTimeout(() => {
      this.#ready = true;
      this.#options.onChange();
    }, SETTLE_MS);
  }

  #put(asking: Asking | undefined): void {
    clearTimeout(this.#settling);
    this.#ready = false;
    this.#asking = asking;
    this.#options.onChange();
  }

  #answer(answer: Answer): void {
    const askId = this.#asking?.askId;
    if (askId === undefined) return;
    this.#answered = askId;
    this.#put(undefined);
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
    const { kind } = asking.question;
    const cancels = key.name === "escape" || (key.ctrl && key.name === "d" && editor.text === "");
    if (cancels && kind === "prompt") this.#answer({ value: null });
    else if (cancels) this.#back(asking, editor);
    else if (key.name !== "return") asking.editor = editor.press(key);
    else if (kind === "prompt") this.#answer({ value: editor.text });
    else this.#say(editor.text.trim(), kind);
  }

  #back(asking: Asking, editor: LineEditor): void {
    asking.draft = editor;
    asking.editor = undefined;
  }

  /** Why not, or what instead of the choices. */
  #say(words: string, kind: Question["kind"]): void {
    if (words === "" || tooMany(words, kind) > 0) return;
    this.#answer(kind === "pick" ? { ids: [], text: words } : { ok: false, reason: words });
  }

  #pick(list: ChoiceList, key: Key, asking: Asking): void {
    const after = list.press(key);
    if (after instanceof ChoiceList) asking.list = after;
    else if (asking.question.allowText && isOwnWords(after.ids)) asking.editor = asking.draft ?? new LineEditor();
    else this.#answer(after);
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
    const over = tooMany(editor.text.trim(), kind);
    const first = [
      ...(secret ? ["what you type is not shown"] : []),
      ...(over > 0 ? [`${over} too many: at most ${LONGEST_OWN_WORDS} characters`] : []),
    ];
    return { lines: [prefix + text, ...this.#hints([...first, ...editorHints[kind]])], cursor: prefix.length + cursor };
  }

  #listBelow(list: ChoiceList, { multi }: Question): Below {
    const { rows, width, paint } = this.#options.screen;
    const room = Math.max(2, Math.min(MOST_CHOICE_ROWS, rows - ROWS_AROUND));
    const how = multi ? ["Space or a number marks", "Enter takes them"] : ["Enter or a number picks"];
    const lines = list.lines(MOST_CHOICES, room, { paint, width: width - 1 });
    return { lines: [...lines, ...this.#hints(["↑ ↓ move", ...how, "Esc picks none"])] };
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

const MORE_BY_KEY = "; press d to see all";

const editorHints: Record<Question["kind"], string[]> = {
  confirm: ["Enter says no, and why", "Esc goes back"],
  pick: ["in your own words", "Enter sends it", "Esc goes back to the choices"],
  prompt: ["Enter sends it", "Esc gives no answer"],
  tool: [],
};

const isOwnWords = (ids: string[]) => ids.length === 1 && ids[0] === OWN_WORDS_ITEM;

/** Characters of an answer in one's own words that are beyond what is taken. */
const tooMany = (words: string, kind: Question["kind"]) =>
  kind === "pick" ? Math.max(0, words.length - LONGEST_OWN_WORDS) : 0;

function begin(opened: EventOf<"ask.opened">): Asking {
  const question = shownQuestion(opened);
  const { askId, kind, multi = false, defaultValue, secret } = opened;
  if (kind === "pick") return { askId, opened, question, list: new ChoiceList(choices(question), multi) };
  if (kind === "prompt") return { askId, opened, question, editor: new LineEditor(secret ? "" : (defaultValue ?? "")) };
  return { askId, opened, question };
}

/** Where own words are allowed, there is something to open their field with. */
function choices({ items = [], allowText }: Question): Choice[] {
  const isThere = items.some(({ id }) => id === OWN_WORDS_ITEM);
  return allowText && !isThere
    ? [...items, { id: OWN_WORDS_ITEM, label: "Something else", detail: "you say what" }]
    : items;
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
