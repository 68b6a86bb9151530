import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "bench/**/*.test.ts"],
    globalSetup: "src/testing/built-command.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
