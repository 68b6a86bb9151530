import type { Terminal } from "./terminal/terminal.ts";

/** The first line of stdin. On a terminal it is asked for, and what is typed is not shown. */
export async function readSecret(terminal: Terminal): Promise<string | undefined> {
  const keys = terminal.lines();
  if (terminal.hasKeyboard) terminal.err.add(["The answer, in one line, which is not shown:"]);
  terminal.err.flush();
  keys.onInterrupt(() => process.kill(process.pid, "SIGINT"));
  keys.echo(false);
  try {
    return await keys.next();
  } finally {
    keys.echo(true);
  }
}
