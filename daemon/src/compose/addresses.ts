import type { Config } from '../config/config.ts';

/** A scheme, and a name with its port. */
export interface HostAddress {
  scheme: string;
  host: string;
}

/** Where this process is reached; nowhere before it listens. */
export interface Addresses {
  all(): readonly HostAddress[];
  hosts(): readonly string[];
  /** The address under which people reach this server, without `/v1`; empty before there is one. */
  baseUrl(): string;
  listensAt(addresses: readonly HostAddress[]): void;
}

export function createAddresses({ public_url }: Pick<Config, 'public_url'>): Addresses {
  let all: readonly HostAddress[] = [];
  return {
    all: () => all,
    hosts: () => all.map(({ host }) => host),
    baseUrl() {
      const [first] = all;
      return public_url ?? (first ? `${first.scheme}://${first.host}` : '');
    },
    listensAt(addresses) {
      all = addresses;
    },
  };
}
