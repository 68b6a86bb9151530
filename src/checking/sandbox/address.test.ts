import { expect, test } from "vitest";
import { Address } from "./address.ts";
import { SearchParams } from "./search-params.ts";

// What a browser has and Node has, too, is the measure.

const parts = ["href", "protocol", "host", "hostname", "port", "origin", "pathname", "search", "hash"] as const;
const partsOf = (address: URL | Address) => parts.map((part) => address[part]);

test.each<[string, string?]>([
  ["https://api.example.com"],
  ["HTTPS://API.example.com:443/v1/pets?limit=10&tag=a%20b#top"],
  ["http://user:secret@localhost:8080/a/../b/./c/"],
  ["http://[::1]:3000/x"],
  ["https://example.com/ü/a b?q=ü"],
  ["mailto:ada@example.com"],
  ["data:text/plain,hello"],
  ["/pets", "https://example.com/v1/"],
  ["pets?x=1", "https://example.com/v1/list?y=2#z"],
  ["../up", "https://example.com/a/b/c"],
  ["?only=query", "https://example.com/a#b"],
  ["#only", "https://example.com/a?b=c"],
  ["//cdn.example.com/x", "https://example.com"],
  ["", "https://example.com/a?b=c#d"],
])("%j on %j has the parts that it has elsewhere", (text, base) => {
  expect(partsOf(new Address(text, base))).toEqual(partsOf(new URL(text, base)));
});

test.each(["", "pets", "/pets", "https://", "http:// x/"])("%j is no address", (text) => {
  expect([Address.canParse(text), URL.canParse(text)]).toEqual([false, false]);
  expect(() => new Address(text)).toThrow(TypeError);
});

test("what is changed shows in the whole", () => {
  const [ours, theirs] = [new Address("https://example.com/a"), new URL("https://example.com/a")];
  for (const address of [ours, theirs]) {
    address.searchParams.set("q", "a b");
    address.hash = "#end";
    address.pathname = "/b";
  }
  expect(ours.href).toBe(theirs.href);
});

test.each<[string | Record<string, string> | [string, string][]]>([
  ["?a=1&a=2&b=%C3%BC&c=x+y&d"],
  [{ name: "Ada & Co", empty: "", sign: "!'()~*-._" }],
  [
    [
      ["a", "1"],
      ["b", "="],
      ["a", "\\ud800"],
    ],
  ],
])("%j is read and written as elsewhere", (given) => {
  const [ours, theirs] = [new SearchParams(given), new URLSearchParams(given)];
  for (const params of [ours, theirs]) {
    params.append("more", "1");
    params.set("a", "only");
    params.delete("b");
  }
  expect([ours.toString(), [...ours], ours.getAll("a"), ours.get("none"), ours.size]).toEqual([
    theirs.toString(),
    [...theirs],
    theirs.getAll("a"),
    theirs.get("none"),
    theirs.size,
  ]);
});
