import { defineConfig } from "vitest/config";

// Real agents, from npm, one after the other: `npm run test:agents`. They are large, so they are not part of `npm test`.
export default defineConfig({
  test: {
    include: ["test/agents/**/*.test.ts"],
    globalSetup: ["src/testing/built-command.ts", "test/agents/install.ts"],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
});
