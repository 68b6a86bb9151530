import { DragomanError, messageOf } from "../core/errors.ts";
import { withoutAnswer } from "./what-was-done.ts";

const TRUST =
  "If you trust it, start dragoman again with NODE_EXTRA_CA_CERTS=<file>, where the file is its certificate or that of whoever signed it (PEM).";

/** What to do about it where nothing was asked yet, by the code of what happened. */
const steps: [code: RegExp, step: string][] = [
  [/^ECONNREFUSED$/, "Is it running at that address?"],
  [/^(?:ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/, "Is the name right, and is this machine online?"],
  [/^(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT)$/, "Can this machine reach that address?"],
  [/SELF_SIGNED|^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/, TRUST],
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/, "Have its certificate renewed, or set the clock of this machine."],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "Connect to it by a name that its certificate is for."],
  [/^EPROTO$|^ERR_SSL_/, "Does it speak http:// there, and not https://?"],
];

/** Why there is no answer, and what can be done about it. */
export function noAnswer(asked: { host: string; method: string }, error: unknown): DragomanError {
  const code = codeOf(error);
  const [, step] = steps.find(([known]) => known.test(code)) ?? [];
  const why = `No answer from ${asked.host}: ${(messageOf(error) || code || "the connection failed").replace(/\.$/, "")}.`;
  return new DragomanError("tool_failed", step ? `${why} ${step}` : withoutAnswer(asked.method, why));
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}
