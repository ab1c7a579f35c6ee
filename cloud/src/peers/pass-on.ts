import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';

/** Marks an upgrade that came from another node: it is not passed on a second time. */
const PASSED = 'x-reverie-passed';
const CONNECT_MS = 3000;

/** Hands an upgrade on, byte for byte, to the node that holds the document it is for; that node decides by itself whether to admit it. */
export function passOn(
  request: IncomingMessage,
  { socket, head, address }: { socket: Duplex; head: Buffer; address: string },
): void {
  const refuse = () =>
    void socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  if (request.headers[PASSED] !== undefined || !URL.canParse(address)) return refuse();
  const { hostname, port } = new URL(address);
  const other = net.connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) });
  other.setTimeout(CONNECT_MS, () => other.destroy(new Error('The other node does not answer')));
  other.once('error', refuse);
  other.once('connect', () => {
    other.setTimeout(0);
    other.off('error', refuse);
    const headers = request.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 ? [`${name}: ${all[at + 1] ?? ''}`] : [],
    );
    const start = `${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`;
    other.write([start, ...headers, `${PASSED}: 1`, '', ''].join('\r\n'));
    other.write(head);
    // Either end takes the other one with it, however it ends.
    other.on('error', () => socket.destroy());
    socket.on('error', () => other.destroy());
    other.on('close', () => socket.destroy());
    socket.on('close', () => other.destroy());
    socket.pipe(other);
    other.pipe(socket);
  });
}
