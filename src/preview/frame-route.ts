import { randomBytes } from "node:crypto";
import { DragomanError } from "../core/errors.ts";
import { answer } from "../transports/http/answer.ts";
import type { KnownExchange, Route } from "../transports/http/route.ts";
import type { FrameBundle, FrameBundles } from "./frame-bundles.ts";
import { frameDocument, frameHeaders, refusalDocument } from "./frame-document.ts";
import type { PreviewOptions } from "./preview-options.ts";

const NONCE_BYTES = 18;
const HTML = "text/html; charset=utf-8";

/** The document of a frame: one version of a session's interface, `?session=<id>&version=<n>`. */
export function frameRoute({ sessions, bundles }: Pick<PreviewOptions, "sessions" | "bundles">): Route {
  async function show(exchange: KnownExchange): Promise<void> {
    const { request, response, query, caller } = exchange;
    checkDestination(request.headers["sec-fetch-dest"]);
    const code = await sessions.codeOf(query.get("session") ?? "", versionIn(query), caller);
    const isThere = code !== undefined;
    const made = isThere ? await bundleOf(bundles, code) : { refused: "There is no such version of an interface." };
    const nonce = randomBytes(NONCE_BYTES).toString("base64");
    const page =
      "script" in made
        ? frameDocument({ title: "Interface", script: made.script, nonce })
        : refusalDocument({ message: made.refused, nonce });
    if (!exchange.hold(page.length))
      throw new DragomanError("queue_full", "Too much is being loaded at once. Try again.");
    answer(response, isThere ? 200 : 404, HTML, page, frameHeaders(nonce));
  }
  return { method: "GET", path: "/preview/frame", access: "observe", handle: show };
}

/** It is for a frame; where it stands alone nobody holds it back from leaving. */
function checkDestination(destination: string | string[] | undefined): void {
  if (destination === undefined || destination === "iframe") return;
  throw new DragomanError("forbidden", "This is shown in the frame of /preview, and nowhere else.");
}

function versionIn(query: URLSearchParams): number | undefined {
  const given = query.get("version");
  if (given === null) return undefined;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new DragomanError("invalid_params", "A version is a number.");
}

/** What does not build is told in the frame. */
async function bundleOf(bundles: FrameBundles, code: string): Promise<FrameBundle> {
  try {
    return await bundles.of(code);
  } catch (error) {
    if (error instanceof DragomanError && error.code === "generation_failed") return { refused: error.message };
    throw error;
  }
}
