import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "bench/**/*.test.ts"],
    globalSetup: "src/testing/built-command.ts",
    maxWorkers: Math.max(2, availableParallelism()), // much of the time is spent waiting for other processes and the disk
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } }, // a machine that does other things, too, is slow, not wrong
  },
});
