import { expect, test } from "vitest";
import { isLoopback } from "./loopback.ts";

const here = ["127.0.0.1", "127.8.9.10", "127.255.0.3", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7f00:1"];
const elsewhere = [
  "0.0.0.0",
  "::",
  "10.0.0.1",
  "128.0.0.1",
  "192.168.127.1",
  "169.254.169.254",
  "fe80::1",
  "::ffff:10.0.0.1",
  "localhost",
  "127.test",
  "",
];

test("an address is of this machine by what it is", () => {
  expect([...here, ...elsewhere].filter(isLoopback)).toEqual(here);
});
