import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { DragomanError } from "../core/errors.ts";
import { isPublicAddress } from "../tools/public-address.ts";

// A person says a name, and whoever has the name says where it leads. One that led to the internet when it was connected to must not lead to
// this machine, or into the network around it, later on (DNS rebinding).

interface Address {
  address: string;
  family: number;
}

/** All the addresses of a name. */
export type Resolve = (host: string) => Promise<Address[]>;

export const systemResolve: Resolve = (host) => lookup(host, { all: true });

/** Whether the API at that origin is on this machine or in a private network, as far as that can be told now. */
export async function leadsInside(origin: string, resolve: Resolve): Promise<boolean> {
  const host = hostOf(origin);
  if (isIP(host) || isPrivateName(host)) return saysInside(host);
  const addresses = await resolve(host).catch(() => []); // it may be there later
  return addresses.some(isInside);
}

/**
 * Finds the addresses for a connection, and checks them: there is no second look that could find others. What led inside when it was connected to
 * may do so, and so may what says of itself that it does, also where it is not known what it did.
 */
export function lookupFor({ origin, inside }: { origin: string; inside: boolean }, resolve: Resolve): LookupFunction {
  const isAllowedInside = inside || saysInside(hostOf(origin));
  return (host, { all }, found) => {
    const use = (addresses: Address[]) => {
      const [first] = addresses;
      if (!first) found(new Error(`${host} has no address`), "", 0);
      else if (!isAllowedInside && addresses.some(isInside)) found(leadsElsewhere(host), "", 0);
      else if (all) found(null, addresses);
      else found(null, first.address, first.family);
    };
    resolve(host).then(use, (error) => found(error, "", 0));
  };
}

const isInside = ({ address }: Address) => !isPublicAddress(address);

/** That it is inside can be seen from what was entered, so it was meant. */
const saysInside = (host: string) => (isIP(host) ? !isPublicAddress(host) : isPrivateName(host));

/** Nobody on the internet can have such a name. */
const isPrivateName = (host: string) =>
  !isIP(host) && (!host.includes(".") || /\.(?:localhost|local|internal|home\.arpa|lan|test)$/.test(host));

const hostOf = (origin: string) => new URL(origin).hostname.replace(/^\[|\]$|\.$/g, "");

const leadsElsewhere = (host: string) =>
  new DragomanError(
    "denied",
    `${host} leads to this machine or a private network now, and is not known to have done so when you connected to it. If you mean it, connect again.`,
  );
