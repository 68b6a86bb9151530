import { BlockList, isIP } from "node:net";

// What lies inside some network or machine, or is set apart for something else: nobody on the internet is there.
const inside: [address: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  ["::", 96], // nobody, this machine, and IPv4 in its oldest form
  ["64:ff9b::", 96], // IPv4 behind a translator
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16], // IPv4 in a tunnel
  ["3fff::", 20],
  ["fc00::", 7],
  ["fe80::", 9], // of the link, and of the site
  ["ff00::", 8],
];

const list = new BlockList();
for (const [address, prefix] of inside) list.addSubnet(address, prefix, isIP(address) === 4 ? "ipv4" : "ipv6");

/** Whether an address is one that anyone on the internet could mean. An IPv4 address within an IPv6 one counts as what it is. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !list.check(address, family === 4 ? "ipv4" : "ipv6");
}
