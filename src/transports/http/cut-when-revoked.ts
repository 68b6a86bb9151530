import type { ServerResponse } from "node:http";

/** For so long a stream may still say good-bye. */
const GRACE_MS = 1000;

/** Nobody goes on reading with a token that holds no more, whatever the route makes of it. */
export function cutWhenRevoked(response: ServerResponse, revoked: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  const cutSoon = () => {
    timer = setTimeout(() => response.destroy(), GRACE_MS);
  };
  revoked.addEventListener("abort", cutSoon);
  response.once("close", () => {
    clearTimeout(timer);
    revoked.removeEventListener("abort", cutSoon);
  });
}
