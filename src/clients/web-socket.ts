/** As much of a WebSocket as is used here; a browser's has more. Its listeners take events that have more than is looked at. */
export interface SocketLike {
  readonly readyState: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** Bytes that were sent and have not left yet. */
  readonly bufferedAmount?: number;
  /** That of the package `ws` alone: ends it without a word. */
  terminate?(): void;
}

export type SocketConstructor = new (url: string) => SocketLike;

/** As large as a message of the server may be, and more. */
const MOST_BYTES = 1024 * 1024;
const CLOSE_MS = 2000;

/** The surroundings' own WebSocket; Node 20 has none, and there it is that of the package `ws`. */
export async function usualSocket(maxPayload = MOST_BYTES): Promise<SocketConstructor> {
  const { WebSocket } = globalThis as { WebSocket?: SocketConstructor };
  if (WebSocket) return WebSocket;
  const { WebSocket: Socket } = await import("ws");
  const options = { maxPayload, closeTimeout: CLOSE_MS, perMessageDeflate: true };
  return class extends Socket {
    constructor(url: string) {
      super(url, options);
    }
  } as unknown as SocketConstructor;
}
