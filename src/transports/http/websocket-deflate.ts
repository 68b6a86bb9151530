import type { IncomingMessage } from "node:http";

const PARAMETER = /^(?:client_max_window_bits(?:="?\d{1,2}"?)?|(?:client|server)_no_context_takeover)$/;

/** Shorter messages are not worth it. */
export const DEFLATE_FROM_BYTES = 1024;

/** Each message is compressed by itself: no state is kept between two, so that a frame made once is good for every socket. */
export const deflateOptions = {
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  threshold: DEFLATE_FROM_BYTES,
} as const;

/**
 * Whether the client offers compression (RFC 7692) that does not bind us to a smaller window. The offer is made simple then, so that there
 * is one thing only that can be agreed on.
 */
export function takeDeflateOffer({ headers }: IncomingMessage): boolean {
  const offers = (headers["sec-websocket-extensions"] ?? "").split(",");
  if (!offers.some(isSimple)) return false;
  headers["sec-websocket-extensions"] = "permessage-deflate";
  return true;
}

function isSimple(offer: string): boolean {
  const [name, ...parameters] = offer.split(";").map((part) => part.replaceAll(/\s/g, ""));
  return name === "permessage-deflate" && parameters.every((parameter) => PARAMETER.test(parameter));
}
