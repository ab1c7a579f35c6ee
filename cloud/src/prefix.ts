import type { IncomingMessage, Server } from 'node:http';

/** The path of an address, without a `/` at its end; empty where it has none. */
export function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/+$/, '');
}

/**
 * Takes the path of a public address of the relay off what is asked for, where a proxy has left it there; what comes without it, by a proxy that
 * takes it off itself, stays as it is.
 */
export function takePrefix(server: Server, addresses: readonly string[]): void {
  const prefixes = [...new Set(addresses.map(pathOf))].filter((prefix) => prefix !== '');
  if (prefixes.length === 0) return;
  const take = (request: IncomingMessage) => {
    const { url = '' } = request;
    const isBelow = (prefix: string) =>
      url.startsWith(prefix) && /^(?:[/?]|$)/.test(url.slice(prefix.length));
    const prefix = prefixes.find(isBelow);
    if (prefix === undefined) return;
    const rest = url.slice(prefix.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
  };
  server.prependListener('request', take);
  server.prependListener('upgrade', take);
}
