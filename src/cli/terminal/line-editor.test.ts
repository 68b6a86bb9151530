import { expect, test } from "vitest";
import type { Key } from "./keyboard.ts";
import { LineEditor } from "./line-editor.ts";

const key = (name: string, more: Partial<Key> = {}): Key => ({
  name,
  text: "",
  ctrl: false,
  inWords: false,
  ...more,
});
const typed = (text: string): Key[] => [...text].map((letter) => key(letter, { text: letter }));
const after = (keys: Key[], editor = new LineEditor()) => keys.reduce((now, each) => now.press(each), editor);

test("types, moves and erases by what a reader takes for one character", () => {
  const editor = after([
    ...typed("a漢e\u0301"),
    key("left"),
    key("backspace"),
    ...typed("b"),
    key("right"),
    ...typed("!"),
  ]);
  expect(editor.text).toBe("abe\u0301!");
  expect(after([key("home"), key("delete"), key("end"), key("backspace")], editor).text).toBe("be\u0301");
});

test("erases words and halves", () => {
  const editor = new LineEditor("one two three");
  expect(after([key("w", { ctrl: true })], editor).text).toBe("one two ");
  expect(after([key("left"), key("k", { ctrl: true })], editor).text).toBe("one two thre");
  expect(after([key("left"), key("u", { ctrl: true })], editor).text).toBe("e");
});

test("takes what is pasted without its controls, and no other keys", () => {
  const pasted = key("paste", { text: "a\u001b[31m\nb\u0003" });
  expect(after([pasted, key("f1"), key("tab"), key("x", { ctrl: true })]).text).toBe("a[31m\nb");
});

test("shows the part around the cursor, in which nothing moves the cursor", () => {
  const editor = new LineEditor("0123456789\u001b[2Jab\ncd");
  expect(editor.view(8)).toEqual({ text: "89ab↵cd", cursor: 7 });
  expect(after([key("home")], editor).view(8)).toEqual({ text: "0123456", cursor: 0 });
  expect(new LineEditor("漢字").view(40)).toEqual({ text: "漢字", cursor: 4 });
});
