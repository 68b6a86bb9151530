import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * Tests that change nothing of the process they run in may share one: to load the modules again is most of their time. Those that start many
 * others do not: from a process that has grown, each takes longer to start.
 */
const sharing = [
  "access",
  "config",
  "core",
  "dialects",
  "transports",
  "stub-model",
  "operations/{analyze,clarify,plan}",
  "engines/{agents,builtin,model}",
  "generator/emitting",
  "generator/kit",
  "generator/reading",
  "generator/understanding",
].map((folder) => `src/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    globalSetup: "src/testing/built-command.ts",
    setupFiles: "src/testing/one-seed.ts",
    maxWorkers: availableParallelism() + 1, // much of the time is spent waiting for other processes, the clock and the disk
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } }, // a machine that does other things, too, is slow, not wrong
    projects: [
      {
        extends: true,
        // What one of them stubs is gone before the next one.
        test: {
          name: "sharing",
          include: sharing,
          isolate: false,
          unstubEnvs: true,
          unstubGlobals: true,
          restoreMocks: true,
        },
      },
      { extends: true, test: { name: "alone", include: ["src/**/*.test.ts", "bench/**/*.test.ts"], exclude: sharing } },
    ],
  },
});
