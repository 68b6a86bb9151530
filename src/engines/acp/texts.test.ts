import { expect, test } from "vitest";
import { type Text, Texts } from "./texts.ts";

const answer = (text: string): Text => ({ is: "answer", text });
const info = (text: string): Text => ({ is: "info", text });

test("where texts are no errors, every piece is part of the answer", () => {
  const texts = new Texts(false);
  expect(texts.add("Error: 400 stub error")).toEqual([answer("Error: 400 stub error")]);
  expect(texts.failure()).toBeUndefined();
});

test("an error that is the last that is said is a failure, with its status", () => {
  const texts = new Texts(true);
  expect(texts.add("Hello wor")).toEqual([answer("Hello wor")]);
  expect(texts.add("Error: 400 stub error")).toEqual([]);
  expect(texts.pause()).toEqual([]);
  expect(texts.failure()).toEqual({ message: "400 stub error", status: 400 });
  expect(texts.next()).toEqual([]);
});

test.each([
  ["Error: Authentication failed with provider at http://a/v1 (HTTP 401).\n  Check your key.", 401],
  ["Error: Failed to get response from the AI model; retried 5 times Last error: 500 stub error", 500],
  ["Error: fetch failed", undefined],
])("the status of %j is %s", (text, status) => {
  const texts = new Texts(true);
  texts.add(text);
  expect(texts.failure()?.status).toBe(status);
});

test("an answer that has such words in it is an answer", () => {
  const texts = new Texts(true);
  expect([...texts.add("Error: "), ...texts.add("Error: is"), ...texts.add(" what it prints.")]).toEqual(
    ["Error: ", "Error: is", " what it prints."].map(answer),
  );
  expect([...texts.add("Error: it says"), ...texts.next()]).toEqual([answer("Error: it says")]);
  expect([...texts.add("Info: is a word"), ...texts.add(", too")]).toEqual([
    answer("Info: is a word"),
    answer(", too"),
  ]);
});

test("what it does meanwhile is told beside the answer", () => {
  const texts = new Texts(true);
  expect(texts.add("Info: Retrying...")).toEqual([]);
  expect(texts.add("Info: Retrying again")).toEqual([info("Retrying...")]);
  expect(texts.pause()).toEqual([info("Retrying again")]);
  expect([...texts.add("Info: Operation cancelled by user"), ...texts.next()]).toEqual([
    info("Operation cancelled by user"),
  ]);
});
