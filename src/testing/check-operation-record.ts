/** A message as a client or the log has it, without its text. */
export interface SeenMessage {
  sequence: number;
  type: string;
  digest: string;
}

/** What one client knows of one operation. */
export interface OperationRecord {
  /** In the order in which they came. */
  seen: SeenMessage[];
  /** The sequence numbers that it knows it did not get. */
  lost: number[];
}

/** What is wrong with a client's record, if the log is right; nothing is right. */
export function faultsOfRecord({ seen, lost }: OperationRecord, log: SeenMessage[]): string[] {
  const kept = new Map(log.map((message) => [message.sequence, message]));
  const had = new Set(seen.map(({ sequence }) => sequence));
  return [
    ...seen.flatMap((message, at) => orderFaults(message, seen[at - 1])),
    ...seen.flatMap((message) => contentFaults(message, kept.get(message.sequence))),
    ...lost.flatMap((sequence) => lossFaults(sequence, kept.get(sequence), had.has(sequence))),
    ...log.flatMap(({ sequence, type }) =>
      had.has(sequence) || lost.includes(sequence) ? [] : [`${type} ${sequence} never came, and nobody said so`],
    ),
    ...(log.at(-1)?.type === "complete" ? [] : ["the log itself has no end"]),
  ];
}

function orderFaults({ sequence }: SeenMessage, before: SeenMessage | undefined): string[] {
  if (!before || sequence > before.sequence) return [];
  return [sequence === before.sequence ? `${sequence} came twice` : `${sequence} came after ${before.sequence}`];
}

function contentFaults(seen: SeenMessage, kept: SeenMessage | undefined): string[] {
  if (!kept) return [`${seen.type} ${seen.sequence} came, and is not in the log`];
  const same = kept.type === seen.type && kept.digest === seen.digest;
  return same ? [] : [`${seen.type} ${seen.sequence} is another one than the ${kept.type} in the log`];
}

function lossFaults(sequence: number, kept: SeenMessage | undefined, came: boolean): string[] {
  if (came) return [`${sequence} is said to be lost, and came`];
  return kept?.type === "thinking" ? [] : [`${kept?.type ?? "what is not in the log,"} ${sequence} was left out`];
}
