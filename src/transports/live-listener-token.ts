import type { Socket } from "node:net";
import type { Clock } from "../core/clock.ts";
import { DragomanError } from "../core/errors.ts";
import { parseMessage } from "../dialects/live/parse.ts";
import { parseJson } from "./json.ts";

const LF = 0x0a;
const MOST_BYTES = 4096;
const LONGEST_MS = 5000;

type Auth = Extract<ReturnType<typeof parseMessage>, { type: "auth" }>;

interface TokenEvents {
  /** The first line. Whoever reads on is told what came behind it. */
  onAuth(auth: Auth): void;
  /** It was no such line, or did not come in time. */
  onProblem(error: DragomanError): void;
}

/**
 * Reads who it is from the first line of a connection. Any other first line is refused, also that of HTTP: a page of a browser
 * can open connections, but not choose how they begin.
 */
export function readToken(socket: Socket, clock: Clock, { onAuth, onProblem }: TokenEvents): void {
  let held = Buffer.alloc(0);
  const take = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    const end = held.indexOf(LF);
    const length = end < 0 ? held.length : end;
    if (length > MOST_BYTES) return settle(() => onProblem(tokenFirst(`it is longer than ${MOST_BYTES} bytes`)));
    if (end < 0) return;
    settle(() => {
      const auth = authOf(held.toString("utf8", 0, end));
      if (auth instanceof DragomanError) return onProblem(auth);
      onAuth(auth);
      if (held.length > end + 1) socket.unshift(held.subarray(end + 1));
    });
  };
  const ended = () => settle(() => onProblem(tokenFirst("the connection ended before it")));
  const late = clock.after(LONGEST_MS, () =>
    settle(() => onProblem(tokenFirst(`it did not come in ${LONGEST_MS / 1000} s`))),
  );
  const settle = (then: () => void) => {
    late();
    socket.off("data", take).off("end", ended).off("close", ended);
    then();
  };
  socket.on("data", take).on("end", ended).on("close", ended);
}

function authOf(line: string): Auth | DragomanError {
  try {
    const message = parseMessage(parseJson(line));
    return message.type === "auth" ? message : tokenFirst("it is another message");
  } catch {
    return tokenFirst("it is none"); // what it was is not repeated: it may have a token in it after all
  }
}

const EXAMPLE = '{"type":"auth","data":{"token":"drg_…"}}';

function tokenFirst(why: string): DragomanError {
  return new DragomanError("unauthorized", `The first line has to bring a token, as ${EXAMPLE}, but ${why}.`);
}
