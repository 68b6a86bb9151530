// The server is the one this page came from. Its address is never taken from anywhere else.

/** `status` is that of HTTP, 0 when the server was not reached; `code` says what a call failed for. */
export class ServerError extends Error {
  constructor(message, status, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What the server answers to a request; a failure is thrown with what it says of it. */
export async function answerTo(method, path, { headers = {}, body, signal } = {}) {
  const request = { method, credentials: "same-origin", headers, body, signal };
  const response = await fetch(path, request).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new ServerError("The server cannot be reached. Is dragoman still running?", 0);
  });
  if (response.ok) return response;
  const said = parsed(await response.text().catch(() => ""));
  const { message = `The server answered ${response.status}.`, code } = said?.error ?? {};
  throw new ServerError(message, response.status, code);
}

async function send(method, path, body) {
  const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await answerTo(method, path, body === undefined ? {} : json);
  return parsed(await response.text().catch(() => ""));
}

function parsed(text) {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Who the cookie says we are; nothing when it says nothing. */
export async function whoAmI() {
  try {
    return await send("GET", "/auth/me");
  } catch (error) {
    if (error.status === 401) return undefined;
    throw error;
  }
}

export const signIn = (token) => send("POST", "/auth/sign-in", { token });
export const signOut = () => send("POST", "/auth/sign-out", {});

let calls = 0;

/** A call of the `sidecar` protocol. */
export async function call(method, params = {}) {
  const answer = await send("POST", "/rpc", { jsonrpc: "2.0", id: ++calls, method, params });
  if (!answer?.error) return answer?.result;
  const { message, data } = answer.error;
  throw new ServerError(data?.message ?? message, 200, data?.code);
}
