// What people read instead of identifiers: labels, names of one and of many, ids.

const longest = 120;

// Only such as are no other word.
const capitals =
  "id url uri api ip uuid guid uid oid html json xml yaml csv pdf sha ssh ssl tls dns http https cpu gpu ram os vm vat iban bic sms " +
  "sso saml sku ui ttl mfa otp totp cve cvss cwe gpg pgp css sql utc ssn isbn issn doi ean gtin upc cidr qr sid smtp imap ftp sftp " +
  "vpn iso ok rss svg png jpeg jwt jwk jwks oidc ldap acl cors csrf csr pem tcp udp mac ssid lan usb gps sdk cli db pid gid rpc grpc " +
  "sbom lfs pr ci kyc aml ach llm mcp tts seo utm faq eta gdpr nfc ntp crm erp";
const spellings =
  "OAuth OAuth2 IDs URLs URIs IPs APIs SKUs UUIDs VMs PRs SDKs PDFs CVEs JWTs DBs IPv4 IPv6 ETag OpenID mTLS GraphQL WebSocket";
const acronyms = new Map([
  ...capitals.split(" ").map((word): [string, string] => [word, word.toUpperCase()]),
  ...spellings.split(" ").map((word): [string, string] => [word.toLowerCase(), word]),
]);

/** As it is written: "URL", "IPv4". */
export function spelling(word: string): string | undefined {
  return acronyms.get(word.toLowerCase());
}

/** The words of an identifier in any casing, in small letters: "photoURLs" is photo, urls. */
export function wordsOf(name: string): string[] {
  return spelled(name).map((word) => word.toLowerCase());
}

const mostRemembered = 5000;

/** The same few names are asked for again and again. */
export function remembering<Found>(find: (name: string) => Found): (name: string) => Found {
  const known = new Map<string, Found>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= mostRemembered) known.clear();
    const found = find(name);
    known.set(name, found);
    return found;
  };
}

const spelled = remembering(split);

// Words with capitals within, which are no two words.
const whole =
  /(?<![A-Z])(?:[Oo]Auth|IPv(?=[46])|ETag|OpenI[Dd]|GraphQL|WebSocket)|(?:ID|URL|URI|API|IP|SKU|VM|PR)s(?![a-z])/g;

function split(name: string): string[] {
  const isPlain = name.length <= longest && /^[a-z]+(?:[ _-][a-z]+)*$/.test(name);
  if (isPlain) return name.split(/[ _-]/).flatMap(unglued);
  return name
    .slice(0, longest)
    .replace(
      whole,
      (word, at: number) => (at > 0 ? " " : "") + word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    )
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .flatMap(unglued);
}

// "photourl", "userid", "apikey": what names often end or begin with, unless that makes another word of it ("curl", "paid").
const ending = /^(?!curl|furl|hurl|burl|purl|unfurl)(\p{Ll}{2,})(urls?|uris?|uuids?|guids?)$/u;
const owned =
  /^(user|client|account|order|product|customer|group|object|item|session|device|message|request|transaction|parent|owner|file|event|project|team|tenant|service|host|meeting|organizer|country|company)(ids?|name|key|code)$/;
const beginning = /^(api|url)(keys?|tokens?|usage|version|name)$/;

function unglued(word: string): string[] {
  if (word.length < 5 || /^(username|hostname|filename|keyname)$/i.test(word)) return [word];
  const found = ending.exec(word) ?? owned.exec(word) ?? beginning.exec(word);
  return found === null ? [word] : [found[1] ?? "", found[2] ?? ""];
}

/** "petId" is "Pet ID", "created_at" is "Created at". */
export const labelOf = remembering((name: string): string => {
  const words = spelled(name);
  const shouting = words.every((word) => word === word.toUpperCase());
  const label = words.map((word) => wordInLabel(word, shouting)).join(" ");
  return label === "" ? name.slice(0, longest) : capitalized(label);
});

function wordInLabel(word: string, shouting: boolean): string {
  const small = word.toLowerCase();
  const known = acronyms.get(small);
  if (known !== undefined) return known;
  const isAcronym =
    !shouting && word.length > 1 && word.length < 6 && word === word.toUpperCase() && /\p{L}/u.test(word);
  return isAcronym ? word : small;
}

/** What a value of an enumeration is called: as it is written if somebody wrote it for people. */
export function valueLabel(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const text = String(value);
  if (text === "") return "(empty)";
  return /^[a-z][a-zA-Z0-9]*([_-][a-zA-Z0-9]+)*$|^[A-Z0-9]+(_[A-Z0-9]+)+$|^[A-Z]{4,}$/.test(text)
    ? labelOf(text)
    : text;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Letters, digits and dashes. What is not in the English alphabet is kept as its code, so that different names stay different. */
export function kebabOf(name: string): string {
  return wordsOf(name)
    .map((word) =>
      word
        .normalize("NFKD")
        .replace(/\p{M}/gu, "")
        .replace(/[^a-z0-9]/gu, (letter) => (letter.codePointAt(0) ?? 0).toString(16)),
    )
    .join("-");
}
