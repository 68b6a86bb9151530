import { DragomanError } from "../../core/errors.ts";
import { answer, answerNothing } from "./answer.ts";
import { refuse } from "./refuse.ts";
import type { Exchange } from "./route.ts";

const JSON_TYPE = "application/json";
const ALSO_JSON = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** Answers a POST by what an endpoint makes of its body. What a form of another website can send is not even read. */
export async function answerRpc(
  exchange: Pick<Exchange, "request" | "response" | "body">,
  endpoint: (body: Buffer) => Promise<string | undefined>,
): Promise<void> {
  const { request, response } = exchange;
  const { "content-type": type = "" } = request.headers;
  if (type !== JSON_TYPE && !ALSO_JSON.test(type)) {
    const message = 'The body must be JSON: send it with "Content-Type: application/json".';
    refuse(response, new DragomanError("invalid_request", message), { status: 415 });
    return;
  }
  const said = await endpoint(await exchange.body());
  if (said === undefined) answerNothing(response);
  else answer(response, 200, JSON_TYPE, said);
}
