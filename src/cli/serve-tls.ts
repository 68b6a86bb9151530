import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { printable, shellWord } from "../config/printable.ts";
import { DragomanError, messageOf } from "../core/errors.ts";
import type { Tls } from "../transports/http/node-server.ts";

interface TlsFiles {
  tlsCert?: string;
  tlsKey?: string;
}

/** The certificate and its key, looked at before anything is served: OpenSSL's own words name neither file nor remedy. */
export function tlsOf({ tlsCert, tlsKey }: TlsFiles): Tls | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) throw unusable("TLS takes both: --tls-cert and --tls-key.");
  const [cert, key] = [readPem(tlsCert, "--tls-cert"), readPem(tlsKey, "--tls-key")];
  if (!certificateIn(cert, tlsCert).checkPrivateKey(keyIn(key, tlsKey))) {
    const message = `The key in ${printable(tlsKey)} is not that of the certificate in ${printable(tlsCert)}.`;
    throw unusable(`${message} Give the two that were made together; of a chain, the server's own comes first.`);
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const files = `${printable(tlsCert)} and ${printable(tlsKey)}`;
    throw unusable(`TLS cannot be served with ${files}: ${messageOf(error)}. Make a new certificate and key.`);
  }
  return { cert, key };
}

function readPem(path: string, option: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unusable(`${printable(path)} cannot be read: ${messageOf(error)}. Give ${option} a file in PEM.`);
  }
}

function certificateIn(pem: Buffer, path: string): X509Certificate {
  try {
    if (pem.includes("-----BEGIN")) return new X509Certificate(pem); // it would take DER, too, and the server does not
  } catch {}
  const form = "In PEM it begins with -----BEGIN CERTIFICATE-----";
  const remedy = `openssl x509 -inform DER -in ${shellWord(path)} -out cert.pem`;
  throw unusable(`There is no certificate in ${printable(path)}. ${form}; one in DER is made into it by: ${remedy}`);
}

function keyIn(pem: Buffer, path: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    const [file, output] = [shellWord(path), "-out key.pem"];
    const message = pem.includes("ENCRYPTED")
      ? `The key in ${printable(path)} has a password. Give one without, which only you can read: openssl pkey -in ${file} ${output}`
      : `There is no private key in ${printable(path)}. In PEM it begins with -----BEGIN PRIVATE KEY-----; one in DER is made into it by: openssl pkey -inform DER -in ${file} ${output}`;
    throw unusable(message);
  }
}

const unusable = (message: string) => new DragomanError("precondition_failed", message);
