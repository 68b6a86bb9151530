import { expect, test } from "vitest";
import { Choices } from "./choices.ts";

const modes = {
  currentModeId: "https://a/modes#agent",
  availableModes: [
    { id: "https://a/modes#agent", name: "Agent", description: "Default agent mode" },
    { id: "https://a/modes#autopilot", name: "Autopilot", description: "Runs without user interaction" },
  ],
};
const option = (category: string, values: string[]) => ({
  id: `the-${category}`,
  name: category,
  category,
  currentValue: values[0] ?? "",
  options: values.map((value) => ({ value, name: value.toUpperCase() })),
});
const listed = { currentModelId: "m1", availableModels: [{ modelId: "m1", name: "One" }, { modelId: "m2" }] };

test("models are those of the option, or of the older list, and chosen by the request that belongs to it", () => {
  const newer = new Choices("Agent", "s", { configOptions: [option("model", ["m1", "m2"])] });
  expect(newer.models()).toEqual([
    { id: "m1", name: "M1" },
    { id: "m2", name: "M2" },
  ]);
  const choosing = newer.choosingModel("m2");
  expect(choosing).toEqual({
    method: "session/set_config_option",
    params: { sessionId: "s", configId: "the-model", value: "m2" },
  });
  if (choosing) newer.chose(choosing, {});
  expect(newer.choosingModel("m2")).toBeUndefined();
  const older = new Choices("Agent", "s", { models: listed });
  expect(older.models()).toEqual([
    { id: "m1", name: "One" },
    { id: "m2", name: "m2" },
  ]);
  expect(older.choosingModel("m1")).toBeUndefined();
  expect(older.choosingModel("m2")).toEqual({ method: "session/set_model", params: { sessionId: "s", modelId: "m2" } });
});

test("a model that there is not is refused with those that there are", () => {
  const choices = new Choices("Agent", "s", { models: listed });
  expect(() => choices.choosingModel("m3")).toThrow('Agent has no model "m3". It has m1, m2.');
  expect(() => new Choices("Agent", "s", {}).choosingModel("m1")).toThrow("does not let its model be chosen");
});

test("a mode is chosen by its id, its name, or the end of its id", () => {
  const choices = new Choices("Agent", "s", { modes });
  const autopilot = { method: "session/set_mode", params: { sessionId: "s", modeId: "https://a/modes#autopilot" } };
  for (const wanted of ["autopilot", "Autopilot", "https://a/modes#autopilot"]) {
    expect(choices.choosingMode(wanted)).toEqual(autopilot);
  }
  expect(choices.choosingMode("agent")).toBeUndefined();
  expect(() => choices.choosingMode("plan")).toThrow('Agent has no mode "plan". It has https://a/modes#agent');
  const options = new Choices("Agent", "s", { configOptions: [option("mode", ["build", "plan"])] });
  expect(options.choosingMode("plan")?.params).toEqual({ sessionId: "s", configId: "the-mode", value: "plan" });
});

test("of a mode in which nobody is asked there is a warning, also when it comes later", () => {
  const choices = new Choices("Agent", "s", { modes });
  expect(choices.warning()).toBeUndefined();
  const update = { sessionUpdate: "current_mode_update", currentModeId: "https://a/modes#autopilot" };
  expect(choices.update(update)).toEqual([{ level: "warning", text: "Agent: its mode is now “Autopilot”." }]);
  expect(choices.update(update)).toEqual([]);
  expect(choices.warning()).toContain("it may do things without asking");
});

test("what an agent changes itself is told, and what we had it change is not", () => {
  const configOptions = [option("mode", ["build", "plan"]), option("permissions", ["off", "on"])];
  const choices = new Choices("Agent", "s", { configOptions });
  const choosing = choices.choosingMode("plan");
  if (choosing) choices.chose(choosing, {});
  const now = [
    { ...configOptions[0], currentValue: "plan" },
    { ...configOptions[1], currentValue: "on" },
  ];
  expect(choices.update({ sessionUpdate: "config_option_update", configOptions: now })).toEqual([
    { level: "info", text: "Agent: “permissions” is now “ON”." },
  ]);
});
