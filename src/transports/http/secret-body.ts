import type * as z from "zod";
import { DragomanError } from "../../core/errors.ts";
import { parseJson } from "../json.ts";
import { checkJson } from "./check-json.ts";
import type { Exchange } from "./route.ts";

const MOST_BYTES = 4096;

/** A small body that may hold a token. What is wrong with it is told by what it should be: an excerpt could be of the token. */
export async function secretBody<T>(exchange: Exchange, schema: z.ZodType<T>, example: string): Promise<T> {
  checkJson(exchange.request);
  const value = parsed((await exchange.body(MOST_BYTES)).toString(), example);
  const { success, data } = schema.safeParse(value);
  if (!success) throw new DragomanError("invalid_params", `Send ${example}.`);
  return data;
}

function parsed(text: string, example: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new DragomanError("parse_error", `This is no JSON that can be read. Send ${example}.`);
  }
}
