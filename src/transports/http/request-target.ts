import { DragomanError } from "../../core/errors.ts";

export interface RequestTarget {
  /** As it was sent: nothing is decoded or made shorter. */
  path: string;
  /** What follows the question mark. */
  search: string;
  /** Host and port, where the whole URL was sent, as to a proxy. */
  authority?: string;
}

const WHOLE_URL = /^https?:\/\/([^/?#]*)(.*)$/i;
const TOKEN_BEGINS = /(?:^|[/?&=;:#])drg_/;
const TOKEN_NAMED = /(?:^|[?&;])(?:access_)?token(?:=|&|$)/i;

/** Takes the target of a request apart. Whatever it holds, it may hold no token. */
export function requestTarget(url: string): RequestTarget {
  const whole = url.charCodeAt(0) === 0x2f ? undefined : WHOLE_URL.exec(url);
  if (whole === null)
    throw new DragomanError("invalid_request", "The target of a request is a path that begins with /.");
  const target = whole === undefined ? url : whole[2] || "/";
  const from = target.indexOf("?");
  refuseToken(url, from >= 0);
  const path = from < 0 ? target : target.slice(0, from);
  const search = from < 0 ? "" : target.slice(from + 1);
  return whole === undefined ? { path, search } : { path: path || "/", search, authority: whole[1] };
}

const TOKEN_IN_URL =
  "A token does not belong in a URL, which histories and logs keep. Send it in the header Authorization: Bearer, and replace " +
  "this one with `dragoman token rotate`.";

function refuseToken(url: string, hasSearch: boolean): void {
  if (!hasSearch && !url.includes("drg_") && !url.includes("%")) return;
  const text = url.includes("%") ? decoded(url) : url;
  if (TOKEN_BEGINS.test(text) || TOKEN_NAMED.test(text)) throw new DragomanError("invalid_request", TOKEN_IN_URL);
}

/** As far as it can be decoded: what is malformed is refused later, by whoever reads it. */
function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
