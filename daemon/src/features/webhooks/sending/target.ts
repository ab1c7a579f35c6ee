import dns from 'node:dns';
import net from 'node:net';
import { type AddressPolicy, literalAddress, refusalOf } from './address-rules.ts';

/** All addresses of a name. Throws where there are none. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

export const systemResolve: Resolve = (host) => dns.promises.lookup(host, { all: true });

/** An address that a delivery may not go to. */
export class RefusedAddress extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedAddress';
  }
}

export interface TargetRules {
  resolve: Resolve;
  /** Whether this is the daemon's own listener: delivering to it would go round in circles. */
  isOwn: (address: string, port: number) => boolean;
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** The addresses to connect to, every one of them checked; throws `RefusedAddress` where one is refused. */
export async function checkedAddresses(
  { resolve, isOwn }: TargetRules,
  url: URL,
  policy: AddressPolicy,
): Promise<{ address: string; family: number }[]> {
  const literal = literalAddress(url);
  const addresses =
    literal === undefined ? await resolve(url.hostname) : [{ address: literal, family: net.isIP(literal) }];
  for (const { address } of addresses) {
    const refused = refusalOf(address, policy);
    if (refused !== undefined)
      throw new RefusedAddress(literal === undefined ? `${url.hostname} resolves to ${refused}` : refused);
    if (isOwn(address, portOf(url)))
      throw new RefusedAddress(`${url.host} is this Reverie itself; its events would go round in circles`);
  }
  return addresses;
}

/** One look-up at a time for each name: the system's resolver has few threads, and a slow name must not take them all. */
export function sharing(resolve: Resolve): Resolve {
  const running = new Map<string, ReturnType<Resolve>>();
  return (host) => {
    const found = running.get(host);
    if (found) return found;
    const started = resolve(host).finally(() => running.delete(host));
    running.set(host, started);
    return started;
  };
}
