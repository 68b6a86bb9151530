/** A part of a multipart body. */
export interface FormPart {
  name: string;
  value: string | Blob;
  filename?: string;
}

/** A request as plain data that can be posted to another window: a host may send it instead. */
export interface TransportRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Parts are sent as multipart/form-data; the transport chooses the boundary. */
  body?: string | Blob | FormPart[];
  /** The operation's alternatives of schemes, for a host that has the credentials for them. */
  auth?: string[][];
}

export interface TransportResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Blob;
}

/** Rejects only if there is no answer. */
export type Transport = (
  request: TransportRequest,
  signal: AbortSignal,
) => Promise<TransportResponse>;

export const fetchTransport: Transport = async (request, signal) => {
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    body: Array.isArray(request.body) ? formDataOf(request.body) : request.body,
    // A browser does not let us set cookies: it sends those that it has for the API.
    credentials: "Cookie" in request.headers ? "include" : "same-origin",
    signal,
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.blob(),
  };
};

function formDataOf(parts: FormPart[]): FormData {
  const form = new FormData();
  for (const { name, value, filename } of parts) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, filename);
  }
  return form;
}
