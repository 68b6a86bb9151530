import { expect, test } from "vitest";
import { callbackTarget } from "./callback-target.ts";

const hostOf = (url: string, ...allowed: string[]) => callbackTarget(url, allowed).url.host;

test.each([
  ["http://127.0.0.1:7/tool-callback", "127.0.0.1:7"],
  ["http://127.8.9.1/", "127.8.9.1"],
  ["https://localhost:7/x?y=1", "localhost:7"],
  ["http://LOCALHOST/", "localhost"],
  ["http://[::1]:7/", "[::1]:7"],
  ["http://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]"],
  ["http://2130706433/", "127.0.0.1"],
  ["http://0177.0.0.1/", "127.0.0.1"],
  ["http://0x7f.1/", "127.0.0.1"],
])("%s is on this machine", (url, host) => {
  expect(hostOf(url)).toBe(host);
});

test.each([
  "http://169.254.169.254/latest/meta-data",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "http://[::ffff:169.254.169.254]/",
  "http://0.0.0.0/",
  "http://0/",
  "http://[::]/",
  "http://[fe80::1]/",
  "http://10.0.0.1/",
  "http://128.0.0.1/",
  "http://example.com/",
  "http://localhost.example.com/",
  "http://localhost./",
  "http://127.0.0.1.example.com/",
])("%s is somewhere else, and refused", (url) => {
  const message = `There can be no callback to "${new URL(url).host}": callbacks go to this machine, and to hosts that serve.callbackHosts of the configuration names.`;
  expect(() => hostOf(url)).toThrow(message);
});

test.each([
  ["ftp://127.0.0.1/", "it is no http or https address"],
  ["file:///etc/passwd", "it is no http or https address"],
  ["unix:/tmp/socket", "it is no http or https address"],
  ["127.0.0.1:80", "it is no http or https address"],
  ["", "it is no http or https address"],
  ["http://ada@127.0.0.1/", "a name or password in an address is not sent"],
  ["http://ada:pw@127.0.0.1/", "a name or password in an address is not sent"],
  ["http://127.0.0.1:80@10.0.0.1/", "a name or password in an address is not sent"],
])("%s is refused: %s", (url, why) => {
  expect(() => hostOf(url, "10.0.0.1")).toThrow(why);
});

test.each([
  ["http://plugin.test:7/", "plugin.test"],
  ["http://PLUGIN.test/", "plugin.TEST"],
  ["http://plugin.test:7/", "plugin.test:7"],
  ["https://plugin.test/", "plugin.test:443"],
  ["http://10.0.0.1/", "10.0.0.1"],
  ["http://167772161/", "10.0.0.1"],
  ["http://[fd00::1]:7/", "fd00::1"],
  ["http://[fd00::1]:7/", "[fd00::1]:7"],
])("%s is called when %s is allowed", (url, allowed) => {
  expect(callbackTarget(url, [allowed])).toEqual({ url: new URL(url), allowed: true });
});

test.each([
  ["http://plugin.test:8/", "plugin.test:7"],
  ["http://a.plugin.test/", "plugin.test"],
  ["http://10.0.0.2/", "10.0.0.1"],
  ["http://10.0.0.1/", "a b"],
])("%s is not called when only %s is allowed", (url, allowed) => {
  expect(() => hostOf(url, allowed)).toThrow("callbacks go to this machine");
});
