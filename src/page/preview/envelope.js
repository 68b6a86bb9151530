// What the preview and the frame with a generated interface say to each other. The frame may run anything, so nothing of what it says is
// believed before it was read here; both sides read with the same table.

const SOURCE = "dragoman";
const VERSION = 1;

const KB = 1024;
/** Of a request's body. */
const MOST_BODY = 10 * KB * KB;

const text = (most) => (value) => typeof value === "string" && value.length <= most;
const number = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
const oneOf =
  (...values) =>
  (value) =>
    values.includes(value);
const optional = (check) => (value) => value === undefined || check(value);
const list = (check, most) => (value) => Array.isArray(value) && value.length <= most && value.every(check);
/** Exactly these fields, and no others. */
const fields = (checks) => (value) =>
  isPlain(value) &&
  Object.keys(value).every((name) => Object.hasOwn(checks, name)) &&
  Object.entries(checks).every(([name, check]) => check(value[name]));
const texts = (mostEntries, most) => (value) =>
  isPlain(value) &&
  Object.keys(value).length <= mostEntries &&
  Object.entries(value).every((pair) => pair.every(text(most)));

function isPlain(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const isBlob = (value) => value instanceof Blob;
const bytesIn = (value) => (typeof value === "string" ? value.length : isBlob(value) ? value.size : Number.NaN);
const content = (value) => bytesIn(value) <= MOST_BODY;
const part = fields({ name: text(KB), value: content, filename: optional(text(KB)) });
const body = (value) =>
  Array.isArray(value)
    ? list(part, 1000)(value) && value.reduce((sum, one) => sum + bytesIn(one.value), 0) <= MOST_BODY
    : content(value);

const theme = oneOf("light", "dark", "system", null);
const connection = fields({ mode: oneOf("mock", "live"), server: text(8 * KB) });
const requestId = text(64);
const headers = texts(200, 16 * KB);

const ofRequest = {
  method: text(20),
  url: text(16 * KB),
  headers,
  body: optional(body),
  auth: optional(list(list(text(200), 30), 100)),
};
const boundWords = {
  method: "The method of a request has at most 20 characters.",
  url: "The address of a request has at most 16384 characters.",
  headers: "A request has at most 200 headers, of at most 16384 characters each.",
  body: "A request has at most 10 MB, in at most 1000 parts.",
  auth: "A request names at most 100 ways to sign in.",
};

/** What a request is too large for; nothing where it can be sent. Whoever sends it all the same is not answered. */
export function boundBroken(request) {
  const [name] = Object.entries(ofRequest).find(([one, check]) => !check(request[one])) ?? [];
  return boundWords[name];
}

/** What the preview tells the frame. */
const toFrame = {
  INIT: fields({ theme, connection }),
  RENDER_DATA: fields({ connection }),
  THEME_CHANGE: fields({ theme }),
  RESIZE: fields({ width: number, height: number }),
  NETWORK_RESPONSE: (value) => answered(value) || unanswered(value),
  DESTROY: fields({}),
};
const answered = fields({ requestId, status: number, headers, body: isBlob });
const unanswered = fields({ requestId, error: text(10 * KB) });

/** What the frame tells the preview. */
const toHost = {
  READY: fields({}),
  RENDER_COMPLETE: fields({ ms: number }),
  NETWORK_REQUEST: fields({ requestId, ...ofRequest }),
  LOG: fields({ level: oneOf("debug", "info", "warn", "error"), text: text(8 * KB) }),
  ERROR: fields({ message: text(8 * KB), stack: optional(text(16 * KB)) }),
  UI_EVENT: fields({
    name: oneOf("connect", "alive", "abort", "route", "link", "save"),
    detail: optional(text(2 * KB)),
    file: optional(content),
  }),
};

let ids = 0;

export function envelope(type, payload = {}) {
  ids += 1;
  return { source: SOURCE, version: VERSION, id: String(ids), type, payload };
}

const outside = (table) =>
  fields({
    source: oneOf(SOURCE),
    version: oneOf(VERSION),
    id: text(64),
    type: (type) => typeof type === "string" && Object.hasOwn(table, type),
    payload: isPlain,
  });

const reader = (table) => {
  const isEnvelope = outside(table);
  /** The message; nothing where it is none, whatever it is. */
  return (data) => (isEnvelope(data) && table[data.type](data.payload) ? data : undefined);
};

export const readFromHost = reader(toFrame);
export const readFromFrame = reader(toHost);
export const typesToFrame = Object.keys(toFrame);
export const typesToHost = Object.keys(toHost);
