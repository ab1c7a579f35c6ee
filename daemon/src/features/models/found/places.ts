import ipaddr from 'ipaddr.js';

/** Origins on this machine where a model server may answer: the ports of the settings, and what `OLLAMA_HOST` names. */
export function placesToLook(
  ports: readonly number[],
  { ollamaHost, isOwn }: { ollamaHost: string | undefined; isOwn: (port: number) => boolean },
): string[] {
  const named = ollamaOrigin(ollamaHost);
  const origins = [
    ...(named === undefined ? [] : [named]),
    ...ports.map((port) => `http://127.0.0.1:${port}`),
  ];
  return [...new Set(origins)].filter((origin) => !isOwn(portOf(origin)));
}

/**
 * The origin that a value of `OLLAMA_HOST` names, where it is on this machine: `host`, `host:port`, `:port`, with a scheme or without,
 * read as Ollama reads it (https://github.com/ollama/ollama/blob/main/envconfig/config.go): the port is 11434, with a scheme the
 * scheme's own. A server that listens on all addresses is asked on the loopback. Undefined for other machines, and for what is none.
 */
export function ollamaOrigin(value: string | undefined): string | undefined {
  const given =
    value
      ?.trim()
      .replace(/^["']+|["']+$/gu, '')
      .trim() ?? '';
  if (given === '') return undefined;
  const [, scheme = '', rest = ''] = /^(?:(https?):\/\/)?(.*?)\/*$/u.exec(given) ?? [];
  const usual = scheme === '' ? 11_434 : scheme === 'https' ? 443 : 80;
  const parts = /^(\[.*\]|[^:]*)(?::(\d+))?$/u.exec(rest) ?? /^([0-9a-f:]+)$/iu.exec(rest);
  if (!parts) return undefined;
  const host = loopbackOf(parts[1] ?? '');
  const port = Number(parts[2] ?? usual);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  return `${scheme === '' ? 'http' : scheme}://${host}:${port}`;
}

/** Where a host of this machine is asked; undefined for any other. No name is looked up. */
function loopbackOf(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/u, '$1');
  if (bare === '' || bare.toLowerCase() === 'localhost') return '127.0.0.1';
  if (!ipaddr.isValid(bare)) return undefined;
  const address = ipaddr.process(bare);
  const isAny = address.range() === 'unspecified';
  if (!isAny && address.range() !== 'loopback') return undefined;
  if (address.kind() === 'ipv6') return '[::1]';
  return isAny ? '127.0.0.1' : address.toString();
}

/** Whether an address such as http://localhost:11434 is on this machine, by its host alone. */
export function isOnThisMachine(url: string): boolean {
  return loopbackOf(new URL(url).hostname) !== undefined;
}

/** The port of an address, its scheme's where it names none. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
