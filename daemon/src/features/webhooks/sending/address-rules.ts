import ipaddr from 'ipaddr.js';

/** What a delivery may connect to. Link-local, metadata and reserved addresses never are. */
export interface AddressPolicy {
  loopback: boolean;
  privateNetwork: boolean;
}

/**
 * Whether a policy is that of the machine's own account, whose webhooks alone may use loopback. Only that account hears what a name
 * resolves to: names of this machine's network are none of the others' business.
 */
export function isOfMachine(policy: AddressPolicy): boolean {
  return policy.loopback;
}

/** All that other accounts are told, whether an address is refused, or a name leads to a refused one, or nowhere. */
export const NO_TARGET =
  'leads to no address that webhooks of this account may use: a public one, or one that the owner of this machine allows';

export type AddressKind = 'public' | 'loopback' | 'private' | 'never';

/** Metadata services of clouds outside the link-local range: AWS by IPv6, Alibaba, Oracle, Azure's host. */
const METADATA = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']);

const PRIVATE = new Set(['private', 'carrierGradeNat', 'uniqueLocal']);

/** What an address is; forms of IPv6 that carry an IPv4 address are what that one is. */
export function kindOfAddress(text: string): AddressKind {
  if (!ipaddr.isValid(text)) return 'never';
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6) {
    const inner = carriedIPv4(address);
    if (inner) return kindOfAddress(inner);
  }
  if (METADATA.has(address.toString())) return 'never';
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (PRIVATE.has(range)) return 'private';
  if (range !== 'unicast') return 'never';
  // Only 2000::/3 is given out; the library calls whatever it does not know unicast, such as ::7f00:1.
  return address instanceof ipaddr.IPv6 && ((address.parts[0] ?? 0) & 0xe000) !== 0x2000 ? 'never' : 'public';
}

/** The IPv4 address within 6to4 and the well-known NAT64 prefix; the local NAT64 prefix hides where it is. */
function carriedIPv4(address: ipaddr.IPv6): string | undefined {
  const bytes = address.toByteArray();
  if (address.range() === '6to4') return bytes.slice(2, 6).join('.');
  const isWellKnown = address.match(ipaddr.IPv6.parse('64:ff9b::'), 96);
  return isWellKnown ? bytes.slice(12, 16).join('.') : undefined;
}

/** Why an address may not be connected to; undefined where it may. */
export function refusalOf(address: string, policy: AddressPolicy): string | undefined {
  const kind = kindOfAddress(address);
  if (kind === 'public') return undefined;
  if (kind === 'loopback')
    return policy.loopback
      ? undefined
      : `${address} is a loopback address, which only webhooks of the machine's own account may use`;
  if (kind === 'private')
    return policy.privateNetwork
      ? undefined
      : `${address} is an address of a private network; an owner key can set allow_private_network`;
  return `${address} is a link-local, metadata or reserved address, which no webhook may use`;
}

/** The host of a URL as a literal address, without brackets; undefined for a name. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}
