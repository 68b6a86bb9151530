import { expect, test } from "vitest";
import { leadsInside } from "./where-it-leads.ts";

const names: Record<string, string[]> = {
  "api.example.com": ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
  "both.example.com": ["93.184.215.14", "10.0.0.1"],
  "intranet.example.com": ["10.0.0.1"],
};

async function resolve(host: string) {
  const addresses = names[host];
  if (!addresses) throw new Error(`nobody knows ${host}`);
  return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
}

test.each([
  ["https://api.example.com", false],
  ["https://both.example.com", true],
  ["https://intranet.example.com:8443", true],
  ["https://unknown.example.com", false],
  ["http://localhost:3000", true],
  ["http://LOCALHOST.:3000", true],
  ["http://box", true],
  ["http://api.internal", true],
  ["http://api.internal.example.com", false],
  ["http://127.0.0.1:3000", true],
  ["http://[::1]:3000", true],
  ["http://[::ffff:10.0.0.1]", true],
  ["http://2130706433", true],
  ["http://93.184.215.14", false],
  ["http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]", false],
])("whether %s leads inside: %s", async (origin, inside) => {
  expect(await leadsInside(origin, resolve)).toBe(inside);
});
