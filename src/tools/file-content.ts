import type { FileHandle } from "node:fs/promises";

/** As git tells: text has no NUL byte near its beginning. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** The text, without a mark at its beginning; `undefined` for what is none, and would not be the same when it is written again. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (isBinary(bytes)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** All that is in a file, or `undefined` if that is more than `maxBytes`. What the system says of its size may not be so. */
export async function wholeContent(handle: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const { size } = await handle.stat();
  if (size > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  for (let total = 0; total <= maxBytes; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.max(size - total + 1, 4096)));
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return undefined;
}
