const types: Record<number, string> = { 401: "authentication_error", 403: "permission_error", 429: "rate_limit_error" };

/** The same body on both wires of OpenAI. */
export function openaiFailure(status: number, message: string): unknown {
  const type = types[status] ?? (status < 500 ? "invalid_request_error" : "server_error");
  return { error: { message, type, param: null, code: null } };
}
