import { describe, expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import type { Engine, Model } from "../core/engine.ts";
import { scripted, settle } from "../testing/scripted.ts";
import { checkModel, named, offeredModels } from "./models.ts";

const m1: Model = { id: "m1", name: "M 1" };
const m2: Model = { id: "m2", name: "M 2" };

/** An engine that says its models when, and as, it is told to; and how often it was asked. */
function slowEngine() {
  const asked: { answer(models: Model[]): void; fail(error: unknown): void }[] = [];
  const models = () => new Promise<Model[]>((answer, fail) => void asked.push({ answer, fail }));
  const engine: Engine = { ...scripted(async () => ""), name: "copilot", models };
  return { asked, here: { engines: [engine] } };
}

const withModels = (models: Engine["models"]) => ({ engines: [{ ...scripted(async () => ""), models }] });

describe("the models of an engine", () => {
  test("are as it says them", async () => {
    expect(
      await offeredModels(
        withModels(async () => [m1, m2]),
        "scripted",
      ),
    ).toEqual({ models: [m1, m2] });
  });

  test("are none, with a note, where it cannot say them, whichever way it fails", async () => {
    const note = "scripted could not say which models it has: no login\u2026";
    for (const models of [
      () => Promise.reject(new Error("no \u001b[31mlogin\u2026")),
      () => {
        throw new Error("no login\u2026");
      },
    ]) {
      expect(await offeredModels(withModels(models), "scripted")).toEqual({ models: [], note });
    }
  });

  test("are waited for three seconds, and are then those that it said last", async () => {
    const { asked, here } = slowEngine();
    const clock = new ManualClock();
    const note = "copilot did not say within 3 s which models it has. Try again.";
    const first = offeredModels(here, "copilot", clock);
    clock.advance(3000);
    expect(await first).toEqual({ models: [], note });
    asked[0]?.answer([m1]);
    await settle();
    const second = offeredModels(here, "copilot", clock);
    clock.advance(3000);
    expect(await second).toEqual({ models: [m1], note });
  });

  test("are asked for once by all who ask at a time, and again by who asks later", async () => {
    const { asked, here } = slowEngine();
    const both = [offeredModels(here, "copilot"), offeredModels(here, "copilot")];
    asked[0]?.answer([m1]);
    expect(await Promise.all(both)).toEqual([{ models: [m1] }, { models: [m1] }]);
    const later = offeredModels(here, "copilot");
    asked[1]?.fail(new Error("gone"));
    expect(await later).toEqual({ models: [], note: "copilot could not say which models it has: gone" });
    expect(asked).toHaveLength(2);
  });

  test("are none of an engine that is not here", async () => {
    expect(await offeredModels({ engines: [] }, "x\u202ey")).toEqual({
      models: [],
      note: 'There is no engine "xy" here.',
    });
  });
});

describe("a model", () => {
  test("is refused only by an engine that lists others, and those are named", async () => {
    const here = withModels(async () => [m1, m2]);
    await checkModel(here, "scripted", undefined);
    await checkModel(here, "scripted", "m2");
    await checkModel(here, "elsewhere", "m3");
    await checkModel(
      withModels(async () => []),
      "scripted",
      "m3",
    );
    await checkModel(
      withModels(() => Promise.reject(new Error("no"))),
      "scripted",
      "m3",
    );
    await expect(checkModel(here, "scripted", "m3")).rejects.toMatchObject({
      code: "invalid_params",
      message: 'There is no model "m3" here. There is: m1, m2.',
      data: { models: ["m1", "m2"] },
    });
  });

  test("that the engine has named before is not asked about again", async () => {
    const { asked, here } = slowEngine();
    const first = checkModel(here, "copilot", "m1");
    asked[0]?.answer([m1]);
    await first;
    await checkModel(here, "copilot", "m1");
    expect(asked).toHaveLength(1);
  });
});

test("of very many names the first are said, and how many there are besides", () => {
  const names = Array.from({ length: 300 }, (_, index) => `m${index}`);
  expect(named(names)).toBe(`${names.slice(0, 50).join(", ")} and 250 more`);
  expect(named(["a", "b"])).toBe("a, b");
});
