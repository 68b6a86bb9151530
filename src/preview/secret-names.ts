/** Any name that ends in one of these, whatever stands before it. */
const ENDING =
  /(?:passw(?:or)?d|pwd|passphrase|passcode|secret|token|jwt|apikey|accesskey|credential|authorization|signature|sessionid|sessid|cookie|assertion)s?$/;
/** Shorter ones, which are the end of other words, too. */
const WORDS = new Set(["key", "keys", "auth", "bearer", "sig", "pass", "sid", "pin", "otp", "totp", "cvv", "cvc"]);
/** What may follow without making it anything else. */
const TAIL = new Set(["value", "hash", "hint", "text", "confirm", "confirmation", "repeat", "again", "new", "old"]);

/** Whether a secret may stand under that name, as in `accessToken`, `access_token`, `X-AuthToken` and `user[password]`. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  while (TAIL.has(words.at(-1) ?? "")) words.pop();
  const last = words.pop()?.replace(/\d+$/, "") ?? "";
  return WORDS.has(last) || ENDING.test([...words, last].join(""));
}

function wordsOf(name: string): string[] {
  const apart = decoded(name)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  return apart.toLowerCase().match(/[a-z\d]+/g) ?? [];
}

/** As it was before it was put into a form or an address. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
