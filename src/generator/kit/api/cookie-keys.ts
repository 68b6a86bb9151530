import type { ApiDescriptor, AuthScheme, Operation } from "../descriptor.ts";
import { ApiError } from "./backend.ts";

/** A browser sends the cookies that it has, and lets no page set one for another address. */
export const cookieLimit =
  "This key travels in a cookie, and a browser lets no page set cookies for another address. " +
  "Sign in to the API itself in this browser: its cookie can then be sent along, if the API allows " +
  "this page to do so.";

export function isCookieKey(scheme: AuthScheme | undefined): boolean {
  return scheme?.kind === "apiKey" && scheme.in === "cookie";
}

/** A refusal for want of a cookie says so: nothing that is entered could mend it. */
export function explainedRefusal(api: ApiDescriptor, operation: Operation, error: unknown) {
  const isRefusal =
    error instanceof ApiError && ["unauthorized", "forbidden", "network"].includes(error.kind);
  return isRefusal && needsCookie(api, operation)
    ? new ApiError(error.kind, error.message, { ...error, hint: cookieLimit })
    : error;
}

function needsCookie(api: ApiDescriptor, { auth = [] }: Operation): boolean {
  const isCookie = (id: string) => isCookieKey(api.auth.find((scheme) => scheme.id === id));
  return auth.length > 0 && auth.every((ids) => ids.some(isCookie));
}
