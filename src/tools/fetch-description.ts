import { type FetchTextOptions, fetchText } from "./fetch-text.ts";

const MOST_BYTES = 50 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const ACCEPTED = "application/json, application/yaml, text/yaml, application/graphql, text/plain, */*";

type Options = Pick<FetchTextOptions, "allowedHosts" | "ifInside" | "onProgress">;

/** The description of an API at an address, with the name of its file. */
export async function fetchDescription(address: string, options: Options): Promise<{ name: string; text: string }> {
  const limits = { maxBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS, accept: ACCEPTED };
  const text = await fetchText(address, { ...limits, ...options });
  return { name: new URL(address).pathname.split("/").at(-1) || "description", text };
}
