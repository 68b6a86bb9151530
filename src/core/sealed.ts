import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";

// What one node posts to another lies on a disk for a moment, and a prompt or an answer may hold a secret. So it is sealed for the
// one process that is to read it, whose private key is in its memory and nowhere else.

const CURVE = "x25519";
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const TAG_BYTES = 16;
/** Each text has a key of its own, so one nonce does for all. */
const NONCE = Buffer.alloc(12);

export interface SealKeys {
  publicKey: string;
  privateKey: string;
}

export function newSealKeys(): SealKeys {
  const { publicKey, privateKey } = generateKeyPairSync(CURVE);
  return {
    publicKey: exportPublic(publicKey),
    privateKey: asText(privateKey.export({ type: "pkcs8", format: "der" })),
  };
}

/** The text, for the holder of the private key alone. */
export function seal(text: string, publicKey: string): string {
  const once = generateKeyPairSync(CURVE);
  const ours = exportPublic(once.publicKey);
  const cipher = createCipheriv(CIPHER, sharedKey(once.privateKey, importPublic(publicKey), ours), NONCE);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${ours}.${asText(body)}`;
}

/** Throws when it was sealed for another, or changed. */
export function unseal(sealed: string, privateKey: string): string {
  const [theirs = "", body = ""] = sealed.split(".");
  const bytes = Buffer.from(body, "base64url");
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64url"), type: "pkcs8", format: "der" });
  const decipher = createDecipheriv(CIPHER, sharedKey(key, importPublic(theirs), theirs), NONCE);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

function sharedKey(privateKey: KeyObject, publicKey: KeyObject, salt: string): Buffer {
  return Buffer.from(hkdfSync("sha256", diffieHellman({ privateKey, publicKey }), salt, "dragoman letter", KEY_BYTES));
}

const asText = (bytes: Buffer) => bytes.toString("base64url");
const exportPublic = (key: KeyObject) => asText(key.export({ type: "spki", format: "der" }));
const importPublic = (text: string) =>
  createPublicKey({ key: Buffer.from(text, "base64url"), type: "spki", format: "der" });
