import { expect, test } from "vitest";

interface Asked {
  prompt: string;
  history: { role: string; content: string }[];
  resolve(result: object): void;
  reject(error: Error): void;
}
const { Customizing } = (await import(new URL("./customizing.js", import.meta.url).href)) as {
  Customizing: new (
    options: object,
  ) => {
    isBusy: boolean;
    ask(prompt: string): void;
    remember(prompt: string, description: string): void;
  };
};

/** A tab's chat as the lines that are in it, and the server as what it was asked. */
function tab() {
  const [asked, cancels, busy] = [[] as Asked[], [] as ((error: Error) => void)[], [] as boolean[]];
  const lines: { words: string; state?: string; stop?(): void; choose?(option: string): void; isOpen?: boolean }[] = [];
  const opening: (() => void)[] = [];
  let isOpen = true;
  const calls = {
    ready: async () => {
      if (!isOpen) await new Promise<void>((resolve) => opening.push(resolve));
    },
    customize: ({ prompt, history }: Asked, onId: (id: number) => void) =>
      new Promise((resolve, reject) => {
        onId(asked.length);
        asked.push({ prompt, history, resolve, reject });
      }),
    cancel: () => new Promise((_, reject) => cancels.push(reject)),
  };
  const chat = {
    asked: (words: string, { stop }: { stop(): void }) => {
      const line: (typeof lines)[number] = { words, stop, state: "" };
      lines.push(line);
      return {
        setState: (state: string, { canStop = false } = {}) => {
          line.state = `${state}${canStop ? " [stop]" : ""}`;
        },
        remove: () => lines.splice(lines.indexOf(line), 1),
      };
    },
    question: (words: string, _: string[], choose: (option: string) => void) => {
      const line: (typeof lines)[number] = { words, choose, isOpen: true };
      lines.push(line);
      return { close: () => (line.isOpen = false), reopen: () => (line.isOpen = true) };
    },
    failed: (words: string) => lines.push({ words }),
  };
  const customizing = new Customizing({
    calls,
    chat,
    sessionId: "1",
    on: {
      version: ({ description }: { description: string }) => lines.push({ words: description }),
      changed: () => busy.push(customizing.isBusy),
    },
  });
  return {
    customizing,
    asked,
    cancels,
    busy,
    line: (words: string) => lines.find((one) => one.words === words),
    said: () => lines.map(({ words, state }) => (state ? `${words}: ${state}` : words)),
    lose: () => {
      isOpen = false;
      asked.at(-1)?.reject(new Error("Lost."));
    },
    reopen: () => {
      isOpen = true;
      for (const go of opening.splice(0)) go();
    },
  };
}

test("what waits is kept while the connection is lost, and sent when it is there again", async () => {
  const { customizing, asked, busy, said, lose, reopen } = tab();
  for (const prompt of ["one", "two"]) customizing.ask(prompt);
  await expect.poll(said).toEqual(["one: Working on it … [stop]", "two: Waiting [stop]"]);
  lose();
  await expect.poll(said).toEqual(["one", "two: Waiting [stop]", "Lost."]);
  expect(asked.map(({ prompt }) => prompt)).toEqual(["one"]);
  reopen();
  await expect.poll(() => asked.map(({ prompt }) => prompt)).toEqual(["one", "two"]);
  asked[1]?.resolve({ description: "Done." });
  await expect.poll(said).toEqual(["one", "two", "Lost.", "Done."]);
  await expect.poll(() => busy).toEqual([true, false]);
});

test("a question whose answer failed, or was taken back, is open again", async () => {
  const { customizing, asked, line, lose, said, reopen } = tab();
  customizing.ask("search");
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.resolve({ clarificationNeeded: true, question: "Where?", options: ["Here", "There"] });
  await expect.poll(() => line("Where?")?.isOpen).toBe(true);
  line("Where?")?.choose?.("Here");
  await expect.poll(() => asked.length).toBe(2);
  expect(line("Where?")?.isOpen).toBe(false);
  lose();
  await expect.poll(() => line("Where?")?.isOpen).toBe(true);
  customizing.ask("There");
  await expect.poll(() => line("There")?.state).toBe("Waiting [stop]");
  line("There")?.stop?.();
  expect(line("Where?")?.isOpen).toBe(true);
  line("Where?")?.choose?.("There");
  reopen();
  await expect.poll(() => asked.length).toBe(3);
  expect(asked[2]).toMatchObject({
    prompt: "There",
    history: [
      { role: "user", content: "search" },
      { role: "assistant", content: "Where?" },
    ],
  });
  expect(said()).toEqual(["search", "Where?", "Here", "Lost.", "There: Working on it … [stop]"]);
});

test("what cannot be cancelled goes on, and can be cancelled again; once it is over nothing more is said of that", async () => {
  const { customizing, asked, cancels, line, said } = tab();
  customizing.ask("one");
  await expect.poll(() => asked.length).toBe(1);
  line("one")?.stop?.();
  expect(said()).toEqual(["one: Cancelling …"]);
  cancels[0]?.(new Error("Not now."));
  await expect.poll(said).toEqual(["one: Working on it … [stop]", "Not now."]);
  line("one")?.stop?.();
  asked[0]?.reject(new Error("Cancelled."));
  cancels[1]?.(new Error("There is nothing to cancel."));
  await expect.poll(said).toEqual(["one", "Not now.", "Cancelled."]);
});

test("so much of what was said is sent along, and no more is kept", async () => {
  const { customizing, asked } = tab();
  for (let at = 0; at < 50; at++) customizing.remember(`${at}?`, `${at}!`);
  customizing.ask("next");
  await expect.poll(() => asked.length).toBe(1);
  expect([asked[0]?.history.length, asked[0]?.history[0]?.content]).toEqual([40, "30?"]);
});
