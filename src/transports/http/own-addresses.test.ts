import { expect, test } from "vitest";
import { OwnAddresses } from "./own-addresses.ts";

type Place = ConstructorParameters<typeof OwnAddresses>[0];

/** Of these, the ones that are taken for the server's own. */
function own(place: Place, hosts: string[], origin?: (host: string) => string): string[] {
  const addresses = new OwnAddresses(place);
  return hosts.filter((host) => {
    try {
      addresses.check({ host: origin ? `localhost:${place.port}` : host, origin: origin?.(host) }, ["Host", host]);
      return true;
    } catch {
      return false;
    }
  });
}

const place: Place = {
  scheme: "http",
  host: "192.0.2.7",
  port: 8137,
  hosts: ["build.test", "tunnel.test:9000", "fd00::7"],
};

test("its names are those of this machine, the one it listens at and those it was given, with its port", () => {
  const yes = [
    "127.0.0.1:8137",
    "localhost:8137",
    "[::1]:8137",
    "192.0.2.7:8137",
    "build.test:8137",
    "tunnel.test:9000",
    "[fd00::7]:8137",
  ];
  const no = [
    "localhost",
    "localhost:9000",
    "build.test",
    "tunnel.test:8137",
    "tunnel.test",
    "::1:8137",
    "",
    "192.0.2.8:8137",
  ];
  expect(own(place, [...yes, ...no])).toEqual(yes);
  expect(own(place, [...yes, ...no], (host) => `http://${host}`)).toEqual(yes);
  expect(own(place, yes, (host) => `https://${host}`)).toEqual([]);
});

test("the usual port of its scheme goes without saying", () => {
  const hosts = ["localhost", "localhost:443", "localhost:80", "build.test"];
  const secure: Place = { scheme: "https", host: "127.0.0.1", port: 443, hosts: ["build.test"] };
  expect(own(secure, hosts)).toEqual(["localhost", "localhost:443", "build.test"]);
  expect(own({ ...secure, scheme: "http", port: 80 }, hosts)).toEqual(["localhost", "localhost:80", "build.test"]);
});
