import type { Config } from '../config/config.ts';

/** A scheme, and a name with its port. */
export interface Address {
  scheme: string;
  host: string;
}

/** Where this process is reached; nowhere before it listens. */
export interface Addresses {
  all(): readonly Address[];
  hosts(): readonly string[];
  /** The address under which people reach this server, without `/v1`; empty before there is one. */
  baseUrl(): string;
  listensAt(addresses: readonly Address[]): void;
}

export function createAddresses({ public_url }: Pick<Config, 'public_url'>): Addresses {
  let all: readonly Address[] = [];
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
