import { expect, test } from "vitest";
import { isPublicAddress } from "./public-address.ts";

const inside = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.8.9.10",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:169.254.169.254",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
];
const outside = ["1.1.1.1", "93.184.216.34", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "::ffff:8.8.8.8"];

test.each(inside)("%s is inside", (address) => expect(isPublicAddress(address)).toBe(false));
test.each(outside)("%s is outside", (address) => expect(isPublicAddress(address)).toBe(true));
test.each(["", "localhost", "1.2.3", "2130706433"])("%j is no address", (text) =>
  expect(isPublicAddress(text)).toBe(false),
);
