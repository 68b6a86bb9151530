import { createPrivateKey, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selfSigned } from "../testing/self-signed.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { tlsOf } from "./serve-tls.ts";

const folder = temporaryFolder();
const [{ cert, key }, other] = [selfSigned(), selfSigned()];

function files(certificate: string | Buffer, privateKey: string | Buffer) {
  const [tlsCert, tlsKey] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  writeFileSync(tlsCert, certificate);
  writeFileSync(tlsKey, privateKey);
  return { tlsCert, tlsKey };
}

const locked = createPrivateKey(key).export({
  type: "pkcs8",
  format: "pem",
  cipher: "aes-256-cbc",
  passphrase: "secret",
});
const der = new X509Certificate(cert).raw;
const derKey = createPrivateKey(key).export({ type: "pkcs8", format: "der" });

test("takes a certificate and its key, or neither", () => {
  expect(tlsOf({})).toBeUndefined();
  expect(tlsOf(files(cert, key))).toEqual({ cert: Buffer.from(cert), key: Buffer.from(key) });
});

test.each<[string, string | Buffer, string | Buffer, RegExp]>([
  ["a certificate that is text", "hello\n", key, /^There is no certificate in .*cert\.pem\. In PEM it begins with/],
  ["one that is empty", "", key, /^There is no certificate in .*cert\.pem/],
  ["one that is cut off", cert.slice(0, 100), key, /^There is no certificate in .*cert\.pem/],
  ["one in DER", der, key, /^There is no certificate in .*: openssl x509 -inform DER -in .*cert\.pem/],
  ["a key in its place", key, key, /^There is no certificate in .*cert\.pem/],
  ["a key that is text", cert, "hello\n", /^There is no private key in .*key\.pem\. In PEM it begins with/],
  ["a certificate in its place", cert, cert, /^There is no private key in .*key\.pem/],
  ["a key in DER", cert, derKey, /^There is no private key in .*: openssl pkey -inform DER -in .*key\.pem/],
  ["a key with a password", cert, locked, /^The key in .*key\.pem has a password\. .*: openssl pkey -in .*key\.pem/],
  ["another's key", cert, other.key, /^The key in .*key\.pem is not that of the certificate in .*cert\.pem\. Give/],
])("names the file and what to do: %s", (_, certificate, privateKey, message) => {
  expect(() => tlsOf(files(certificate, privateKey))).toThrow(message);
});

test("a file that is not there, or one without the other, is refused", () => {
  const { tlsCert, tlsKey } = files(cert, key);
  expect(() => tlsOf({ tlsCert, tlsKey: "no.pem" })).toThrow(
    /^no\.pem cannot be read: .* Give --tls-key a file in PEM\.$/,
  );
  for (const given of [{ tlsCert }, { tlsKey }]) expect(() => tlsOf(given)).toThrow("both: --tls-cert and --tls-key.");
});
