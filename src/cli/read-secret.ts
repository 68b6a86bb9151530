import type { Terminal } from "./terminal/terminal.ts";

/** The first line of stdin. On a terminal it is asked for, and what is typed is not shown. */
export async function readSecret(terminal: Terminal): Promise<string | undefined> {
  const keys = terminal.lines();
  keys.onInterrupt(() => process.kill(process.pid, "SIGINT"));
  // Before the question: who has seen it may type at once.
  keys.echo(false);
  try {
    if (terminal.hasKeyboard) terminal.err.add(["The answer, in one line, which is not shown:"]);
    terminal.err.flush();
    return await keys.next();
  } finally {
    keys.echo(true);
  }
}
