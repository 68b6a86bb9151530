import { MASK } from "../core/redactor.ts";
import type { Credential } from "./vault.ts";

/** Shorter ones are found in any text by chance. */
const SHORTEST = 4;
/** As above, of a part of something encoded: there it takes more to be no chance. */
const SHORTEST_PART = 8;

/** What is secret in a credential, and what is made of it to be sent. A user name alone is not. */
export function secretsIn(credential: Credential): string[] {
  if ("token" in credential) return [credential.token.trim()];
  const { username, password } = credential;
  return [password, Buffer.from(`${username}:${password}`).toString("base64")];
}

/** How a secret may be written in an address, a header or a body. The longest come first, so that none is masked in part. */
export function formsOf(secrets: Iterable<string>, shortest = SHORTEST): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < shortest) continue;
    for (const form of formsOfOne(secret)) if (form.length >= shortest) forms.add(form);
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

function formsOfOne(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret);
  const inForm = new URLSearchParams({ "": secret }).toString().slice(1);
  const inHtml = secret.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const hex = bytes.toString("hex");
  const urls = [inUrl, inForm].flatMap((form) => [form, lowerEscapes(form)]);
  return [secret, inJson, ...urls, inHtml, hex, hex.toUpperCase(), ...base64Parts(bytes)];
}

const lowerEscapes = (text: string) => text.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());

/** Base64 depends on what stands before: there are three ways in which a text can be within a longer one. */
function base64Parts(bytes: Buffer): string[] {
  const parts = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const isWhole = (before + bytes.length) % 3 === 0;
    // Characters at the edges are made of its neighbours, too.
    return whole.slice([0, 2, 3][before], isWhole ? undefined : -1);
  });
  const whole = bytes.toString("base64");
  const all = [whole, ...parts.filter((part) => part.length >= SHORTEST_PART)];
  return all.flatMap((part) => [part, part.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** The text with each of the forms masked. */
export function masked(text: string, forms: readonly string[]): string {
  return forms.reduce((rest, form) => rest.replaceAll(form, MASK), text);
}

/** The same of bytes, whatever they mean: those of the forms are looked for as they are in UTF-8. */
export function maskedBytes(bytes: Buffer, forms: readonly string[]): Buffer {
  const found = forms.filter((form) => bytes.includes(form));
  if (found.length === 0) return bytes;
  const asLatin1 = (text: string) => Buffer.from(text).toString("latin1");
  return Buffer.from(masked(bytes.toString("latin1"), found.map(asLatin1)), "latin1");
}
