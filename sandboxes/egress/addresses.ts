/** Classifies IP addresses as public, private, link-local, loopback or of this machine. */
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Address ranges that IANA's special-purpose registries mark as not globally reachable, and multicast ranges. */
const privateRanges = new BlockList();
for (const [network, bits] of [
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
] as const) {
  privateRanges.addSubnet(network, bits, "ipv4");
}
// No IPv6 address outside of 2000::/3 is public. The ranges of this list are within 2000::/3 and are not public either:
// protocol assignments such as Teredo, documentation examples, and 6to4, which embeds an IPv4 address.
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  privateRanges.addSubnet(network, bits, "ipv6");
}
const publicRange = new BlockList();
publicRange.addSubnet("2000::", 3, "ipv6");

const linkLocal = new BlockList();
linkLocal.addSubnet("169.254.0.0", 16, "ipv4");
linkLocal.addSubnet("fe80::", 10, "ipv6");
// Further metadata services of clouds, which hand out credentials as 169.254.169.254 does.
linkLocal.addAddress("100.100.100.200", "ipv4");
linkLocal.addAddress("fd00:ec2::254", "ipv6");

/** Whether an address is public. @param address IPv4 or IPv6 address without brackets */
export function isPublic(address: string): boolean {
  const bare = unmapped(address);
  if (isIP(bare) === 4) return !privateRanges.check(bare, "ipv4");
  return isIP(bare) === 6 && publicRange.check(bare, "ipv6") && !privateRanges.check(bare, "ipv6");
}

/** Whether an address is link-local or belongs to a cloud's metadata service. */
export function isLinkLocal(address: string): boolean {
  const bare = unmapped(address);
  return linkLocal.check(bare, isIP(bare) === 4 ? "ipv4" : "ipv6");
}

/** Whether a connection to the address reaches this machine: a loopback or unspecified address. */
export function isLoopback(address: string): boolean {
  const bare = unmapped(address);
  return bare === "::1" || bare.startsWith("127.") || bare === "0.0.0.0" || bare === "::";
}

/**
 * Whether a network interface of this machine has the address. A connection from this machine to such an address does
 * not pass the firewall in front of the machine, even if the address is public.
 */
export function isOwn(address: string): boolean {
  const bare = unmapped(address);
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address: own }) => own === bare));
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, and any other address in canonical form. */
function unmapped(address: string): string {
  if (isIP(address) !== 6) return address;
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
}
