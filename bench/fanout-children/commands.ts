/** What the bench tells a child, and what the child answers, over the channel between them. Each command has one answer, in any order. */
export function obey<Command extends { do: string }>(
  handlers: {
    [Name in Command["do"]]: (command: Extract<Command, { do: Name }>) => unknown;
  },
): void {
  const table = handlers as unknown as Record<string, (command: Command) => unknown>;
  process.on("message", async ({ id, command }: { id: number; command: Command }) => {
    process.send?.({ id, result: await table[command.do]?.(command) });
  });
  process.on("disconnect", () => process.exit(0)); // the bench is gone
}

/**
 * The bytes that JavaScript has, with those that it holds outside of its heap, after all that is not used any more is gone. What the
 * machine has given to the process would say less: it grows in steps, with what was needed for a moment, and stays.
 */
export async function memory(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50)); // for what is let go of in later turns
    (globalThis as { gc?: () => void }).gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
