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

const changed = (currentModeId: string) => ({ sessionUpdate: "current_mode_update", currentModeId });

test("of a mode in which nobody is asked there is a warning", () => {
  const autopilot = { ...modes, currentModeId: "https://a/modes#autopilot" };
  expect(new Choices("Agent", "s", { modes }).warning()).toBeUndefined();
  expect(new Choices("Agent", "s", { modes: autopilot }).warning()).toBe(
    "Agent is in its mode “Autopilot”: it may do things without asking, and then no rule holds it back.",
  );
});

test("an agent that goes into such a mode by itself has strayed, until it is back", () => {
  const choices = new Choices("Agent", "s", { modes });
  expect(choices.update(changed("https://a/modes#autopilot"))).toEqual([]);
  const back = { method: "session/set_mode", params: { sessionId: "s", modeId: "https://a/modes#agent" } };
  expect(choices.strayed()).toEqual([{ what: "its mode", to: "Autopilot", from: "Agent", back }]);
  choices.chose(back, {});
  expect(choices.strayed()).toEqual([]);
});

test("a mode that nobody knows is none in which the agent asks, and one that we chose is right in any case", () => {
  const choices = new Choices("Agent", "s", { modes });
  choices.update(changed("turbo"));
  expect(choices.strayed()).toMatchObject([{ to: "turbo", from: "Agent" }]);
  const autopilot = choices.choosingMode("autopilot");
  if (autopilot) choices.chose(autopilot, {});
  expect(choices.strayed()).toEqual([]);
  choices.update(changed("https://a/modes#agent"));
  choices.update(changed("https://a/modes#autopilot"));
  expect(choices.strayed()).toEqual([]);
});

test("a change to what is stricter is told and stays, and one of an option that allows everything is none", () => {
  const permissions = {
    ...option("permissions", ["off", "on"]),
    options: [{ value: "off" }, { value: "on", name: "On", description: "Automatically approve all requests" }],
  };
  const configOptions = [option("mode", ["build", "plan"]), permissions];
  const choices = new Choices("Agent", "s", { configOptions });
  const now = [
    { ...configOptions[0], currentValue: "plan" },
    { ...permissions, currentValue: "on" },
  ];
  expect(choices.update({ sessionUpdate: "config_option_update", configOptions: now })).toEqual([
    { level: "info", text: "Agent: its mode is now “PLAN”." },
  ]);
  const params = { sessionId: "s", configId: "the-permissions", value: "off" };
  expect(choices.strayed()).toEqual([
    { what: "“permissions”", to: "On", from: "off", back: { method: "session/set_config_option", params } },
  ]);
});

test("what an agent lets be chosen only later is taken as it is, with a warning", () => {
  const choices = new Choices("Agent", "s", {});
  const configOptions = [option("mode", ["yolo", "ask"])];
  expect(choices.update({ sessionUpdate: "config_option_update", configOptions })).toEqual([
    {
      level: "warning",
      text: "Agent is in its mode “YOLO”: it may do things without asking, and then no rule holds it back.",
    },
  ]);
  expect(choices.strayed()).toEqual([]);
});

test("what an agent changes itself is told, and what we had it change is not", () => {
  const configOptions = [option("mode", ["build", "plan"])];
  const choices = new Choices("Agent", "s", { configOptions });
  const now = (currentValue: string) => ({
    sessionUpdate: "config_option_update",
    configOptions: [{ ...configOptions[0], currentValue }],
  });
  const choosing = choices.choosingMode("plan");
  if (choosing) choices.chose(choosing, {});
  expect(choices.update(now("plan"))).toEqual([]);
  expect(choices.update(now("build"))).toEqual([{ level: "info", text: "Agent: its mode is now “BUILD”." }]);
});

test("the model that is wanted comes first, or else the one that is used", () => {
  const choices = new Choices("Agent", "s", { models: { ...listed, currentModelId: "m2" } });
  const ids = (first?: string) => choices.models(first).map(({ id }) => id);
  expect([ids(), ids("m1"), ids("m3")]).toEqual([
    ["m2", "m1"],
    ["m1", "m2"],
    ["m1", "m2"],
  ]);
});
