// Made here and not by the browser's randomUUID, which a page that came without TLS from another machine does not have.

export function newId() {
  return asUuid(crypto.getRandomValues(new Uint8Array(16)), 4);
}

/** The same as in src/core/ids.ts, a test holds the two together. Nothing where the browser cannot tell. */
export async function derivedId(namespace, name) {
  const bytes = namespace.match(/[0-9a-f]{2}/gi).map((hex) => Number.parseInt(hex, 16));
  const named = new Uint8Array([...bytes, ...new TextEncoder().encode(name)]);
  const digest = await crypto.subtle?.digest("SHA-1", named);
  return digest && asUuid(new Uint8Array(digest, 0, 16), 5);
}

function asUuid(bytes, version) {
  bytes[6] = (bytes[6] & 0x0f) | (version << 4);
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
