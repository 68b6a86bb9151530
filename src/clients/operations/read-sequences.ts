import { highest, lowest } from "./message-text.ts";
import type { MessagePage, OperationMessage } from "./protocol.ts";

/** The messages of these sequence numbers, from a history that is read in pages. */
export async function readSequences(
  sequences: number[],
  read: (after: number) => Promise<MessagePage>,
): Promise<OperationMessage[]> {
  const wanted = new Set(sequences);
  const last = highest(sequences);
  const found: OperationMessage[] = [];
  let after = lowest(sequences) - 1;
  for (let more = true; more && after < last; ) {
    const page = await read(after);
    for (const message of page.messages) if (wanted.has(message.sequence)) found.push(message);
    const reached = page.messages.at(-1)?.sequence ?? after;
    more = page.more && reached > after;
    after = reached;
  }
  return found;
}
