import type { IncomingMessage, Server } from 'node:http';

/** The path of an address, without a `/` at its end; empty where it has none. */
export function pathOf(url: string | undefined): string {
  return url === undefined ? '' : new URL(url).pathname.replace(/\/+$/, '');
}

/**
 * Takes the path of the relay's public address off what is asked for, where a proxy has left it there; what comes without it, by a proxy that
 * takes it off itself, stays as it is.
 */
export function takePrefix(server: Server, publicUrl: string | undefined): void {
  const prefix = pathOf(publicUrl);
  if (prefix === '') return;
  const take = (request: IncomingMessage) => {
    const { url = '' } = request;
    const rest = url.slice(prefix.length);
    if (url.startsWith(prefix) && /^(?:[/?]|$)/.test(rest))
      request.url = rest.startsWith('/') ? rest : `/${rest}`;
  };
  server.prependListener('request', take);
  server.prependListener('upgrade', take);
}
