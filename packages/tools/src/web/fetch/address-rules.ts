/**
 * The addresses that pages may be fetched from: only public unicast addresses.
 *
 * Private, loopback, link-local, shared, reserved and multicast ranges are rejected, and so are the metadata services
 * of clouds. An IPv6 address that carries an IPv4 address in a documented way is judged by the IPv4 address (mapped,
 * NAT64) or by both addresses (ISATAP); tunnels that could carry anything (6to4, Teredo, local NAT64 prefixes) are
 * rejected.
 */
import ipaddr from "ipaddr.js";

/** Public addresses of metadata services: Azure's, which answers inside every virtual machine there. */
const METADATA = new Set(["168.63.129.16"]);

/** Why an address is rejected, as a word for people; null when it is public. */
export function refusedRange(address: string): string | null {
  if (!ipaddr.isValid(address)) return "malformed";
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? refusedV4(parsed) : refusedV6(parsed);
}

function refusedV4(address: ipaddr.IPv4): string | null {
  if (METADATA.has(address.toString())) return "metadata";
  const range = address.range();
  return range === "unicast" ? null : range;
}

function refusedV6(address: ipaddr.IPv6): string | null {
  // An address with a zone refers to a network interface of this machine, so it is not public.
  if (address.zoneId !== undefined) return "zone";
  const { parts } = address;
  const range = address.range();
  if (range === "ipv4Mapped" || (range === "rfc6052" && parts[2] === 0)) return refusedV4(lastFour(parts));
  if (range !== "unicast") return range;
  // Global unicast is 2000::/3; other unassigned ranges are not public.
  if (((parts[0] ?? 0) & 0xe000) !== 0x2000) return "unassigned";
  return isIsatap(parts) ? refusedV4(lastFour(parts)) : null;
}

function isIsatap(parts: readonly number[]): boolean {
  return ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe;
}

function lastFour(parts: readonly number[]): ipaddr.IPv4 {
  const [high = 0, low = 0] = parts.slice(6);
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}
