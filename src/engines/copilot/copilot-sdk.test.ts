import { expect, test } from "vitest";
import { loadSdk, runtimeProgram } from "./copilot-sdk.ts";

test("without the SDK it is said what to install", async () => {
  const loading = loadSdk(() => Promise.reject(new Error("Cannot find package '@github/copilot-sdk'\nfrom here")));
  await expect(loading).rejects.toMatchObject({
    code: "engine_unavailable",
    message:
      "The engine \"copilot\" needs the package @github/copilot-sdk, which cannot be loaded (Cannot find package '@github/copilot-sdk'). Install it: npm install @github/copilot-sdk@1.0.14, or choose another engine.",
  });
});

test("the version that is named there is the one that comes with us", async () => {
  const { default: ours } = await import("../../../package.json", { with: { type: "json" } });
  expect(ours.optionalDependencies["@github/copilot-sdk"]).toBe("1.0.14");
});

test("the runtime is the one that the SDK brings, unless the user names another", () => {
  expect(runtimeProgram({}).file).toMatch(/copilot-sdk-\w+-\w+[\\/]prebuilds[\\/].*copilot-runtime(\.exe)?$/);
  expect(runtimeProgram({ COPILOT_CLI_PATH: "/mine/copilot" })).toEqual({ file: "/mine/copilot", args: [] });
  const script = { file: process.execPath, args: ["/mine/index.js"] };
  expect(runtimeProgram({ COPILOT_CLI_PATH: "/mine/index.js" })).toEqual(script);
});
