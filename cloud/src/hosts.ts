import { Problem } from '@reverie/shared/contract/problems';
import { hostOf, type NamedTarget } from '@reverie/shared/http/guard';
import { type Config, publicAddresses } from './config.ts';

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
const EVERYWHERE: readonly string[] = ['0.0.0.0', '[::]'];

/** The parts of a request or an upgrade that say by which name the relay was asked for. */
export interface NamedHost extends NamedTarget {
  socket: { readonly localAddress?: string | undefined };
}

/** The names that a relay answers to. */
export interface Hosts {
  /** Why a request for another name is refused: a page whose own name was bound to this address anew asks so. */
  refusalOf(request: NamedHost): Problem | undefined;
}

/** `origin`: where the relay listens, as `http://127.0.0.1:7347`; empty before it does. */
export function createHosts(
  { RELAY_PUBLIC_URL, RELAY_ALLOWED_HOSTS }: Pick<Config, 'RELAY_PUBLIC_URL' | 'RELAY_ALLOWED_HOSTS'>,
  origin: () => string,
): Hosts {
  const known = new Set(RELAY_ALLOWED_HOSTS.map((host) => nameOf(host)));
  for (const address of publicAddresses({ RELAY_PUBLIC_URL })) known.add(new URL(address).hostname);

  function isListenedAt(name: string, { socket }: NamedHost): boolean {
    if (!URL.canParse(origin())) return false;
    const { hostname } = new URL(origin());
    const isEverywhere = EVERYWHERE.includes(hostname);
    if (LOOPBACK.includes(name)) return isEverywhere || LOOPBACK.includes(hostname);
    // A relay that listens everywhere has many addresses: the one that the connection came to counts.
    return isEverywhere ? name === asHost(socket.localAddress) : name === hostname;
  }

  return {
    refusalOf(request) {
      const host = hostOf(request);
      if (host instanceof Problem) return host;
      // With any port: tunnels and proxies have their own, and the name is what a stranger cannot have.
      const name = nameOf(host);
      if (known.has(name) || isListenedAt(name, request)) return undefined;
      return new Problem(
        'invalid_host',
        `This relay does not answer to the name ${JSON.stringify(host)}. Whoever runs it sets RELAY_PUBLIC_URL to the address that people use, or adds the name to RELAY_ALLOWED_HOSTS`,
      );
    },
  };
}

/** Whether a header `Host` names this machine itself. */
export function namesLoopback(host: string): boolean {
  return LOOPBACK.includes(nameOf(host));
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

/** An address as it stands in `Host`. */
function asHost(address = ''): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}
