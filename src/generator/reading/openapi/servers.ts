import { ownValue, type RawNode, textOf } from "../raw-node.ts";
import type { Reading } from "../reading.ts";

const mostServers = 50;
const longestAddress = 2000;

/** The addresses of a list of servers, their variables filled in with what is usual. Relative ones stay relative. */
export function readServers(reading: Reading, list: RawNode | undefined): string[] {
  const urls = new Set<string>();
  for (const server of list?.items().slice(0, mostServers) ?? []) {
    const url = server.text("url");
    if (url === undefined) reading.warnings.add(server.place, "A server without a url is left out");
    else urls.add(bounded(reading, url.trim(), server));
  }
  urls.delete("");
  return [...urls];
}

/** Variables in an address can make it as long as one likes. */
function bounded(reading: Reading, url: string, server: RawNode): string {
  const address = url.length > longestAddress ? url : filled(reading, url, server);
  if (address.length <= longestAddress) return address;
  reading.warnings.add(server.place, `An address with more than ${longestAddress} characters is left out`);
  return "";
}

function filled(reading: Reading, url: string, server: RawNode): string {
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = server.child("variables")?.child(name);
    const value = variable?.text("default") ?? textOf(ownValue(variable?.child("enum")?.value, "0"));
    if (value === undefined) reading.warnings.add(server.place, `The server's variable ${whole} has no default`);
    return value?.slice(0, longestAddress) ?? whole;
  });
}
