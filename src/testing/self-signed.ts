import { generateKeyPairSync, sign } from "node:crypto";

/** One element of ASN.1 in DER. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const explicit = (at: number, ...parts: Uint8Array[]) => der(0xa0 + at, ...parts);
const bits = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes);
const time = (text: string) => der(0x18, Buffer.from(text));
const integer = (value: number) => der(0x02, Buffer.from([value]));

const COMMON_NAME = Buffer.from("0603550403", "hex");
const ALTERNATIVE_NAMES = Buffer.from("0603551d11", "hex");
const ECDSA_WITH_SHA256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"));

/** A key and a certificate that it signed itself, for localhost and 127.0.0.1. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from("localhost")))));
  const names = sequence(der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1])));
  const body = sequence(
    explicit(0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    name,
    sequence(time("20200101000000Z"), time("20990101000000Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(sequence(ALTERNATIVE_NAMES, der(0x04, names)))),
  );
  const certificate = sequence(body, ECDSA_WITH_SHA256, bits(sign("sha256", body, privateKey)));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}
