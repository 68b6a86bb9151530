// The server is the one this page came from. Its address is never taken from anywhere else.

/** `status` is that of HTTP, 0 when the server was not reached; `code` says what a call failed for. */
export class ServerError extends Error {
  constructor(message, status, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function send(method, path, body) {
  const request = {
    method,
    credentials: "same-origin",
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
  const response = await fetch(path, request).catch(() => {
    throw new ServerError("The server cannot be reached. Is dragoman serve still running?", 0);
  });
  const text = await response.text().catch(() => "");
  const answer = parsed(text);
  if (response.ok) return answer;
  throw new ServerError(answer?.error?.message ?? `The server answered ${response.status}.`, response.status);
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
