import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, describe, expect, test } from 'vitest';
import { createSender, type AttemptOutcome, type Sender } from './sender.ts';
import type { Resolve } from './target.ts';

const clock = createFakeClock();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that does what it likes with each connection. */
async function listen(server: net.Server | http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const loopback = { loopback: true, privateNetwork: false };

function senderTo(
  url: string,
  { policy = loopback, resolve }: { policy?: typeof loopback; resolve?: Resolve } = {},
): Sender {
  const rules = {
    resolve: resolve ?? (async () => [{ address: '127.0.0.1', family: 4 }]),
    isOwn: () => false,
  };
  const sender = createSender({ clock, rules, timeoutMs: 10_000 }, new URL(url), policy);
  closing.push(() => sender.close());
  return sender;
}

const post = (sender: Sender, signal = new AbortController().signal): Promise<AttemptOutcome> =>
  sender.send({ headers: { 'content-type': 'application/json' }, body: Buffer.from('{}'), signal });

async function answering(handle: http.RequestListener): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const server = http.createServer(handle);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    closing.push(() => socket.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}/`, connections: () => connections };
}

describe('a receiver', () => {
  test('that answers is heard, over one connection for many deliveries', async () => {
    const { url, connections } = await answering((_request, response) =>
      response.writeHead(202).end('thanks'),
    );
    const sender = senderTo(url);
    for (let n = 0; n < 5; n += 1)
      expect(await post(sender)).toEqual({
        kind: 'answered',
        status: 202,
        response: 'thanks',
        retryAfterMs: null,
      });
    expect(connections()).toBe(1);
  });

  test('that redirects is not followed', async () => {
    let asked = 0;
    const { url } = await answering((_request, response) => {
      asked += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await post(senderTo(url))).toMatchObject({ kind: 'answered', status: 302 });
    expect(asked).toBe(1);
  });

  test('that sends 10 MB back is cut off, and its answer counts', async () => {
    let sent = 0;
    const { url } = await answering((_request, response) => {
      const piece = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (sent < 10 * 1024 * 1024 && !response.destroyed) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const outcome = await post(senderTo(url));
    expect(outcome).toMatchObject({ kind: 'answered', status: 200 });
    expect(outcome.kind === 'answered' && outcome.response).toHaveLength(1024);
  });

  test('that never answers is given up after the timeout', async () => {
    let reach: () => void;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const silent = net.createServer((socket) => {
      closing.push(() => socket.destroy());
      reach();
    });
    const outcome = post(senderTo(`http://127.0.0.1:${await listen(silent)}/`));
    await reached;
    clock.advance(10_000);
    expect(await outcome).toEqual({ kind: 'failed', error: 'No answer within 10 s' });
  });

  test('that drips its answer is given up, and its status counts', async () => {
    let begun: () => void;
    const dripping = new Promise<void>((resolve) => (begun = resolve));
    const { url } = await answering((_request, response) => {
      response.writeHead(200);
      response.write('d', () => begun());
    });
    const outcome = post(senderTo(url));
    await dripping;
    // The head may still be on its way: time goes on until it is there, as it does for everybody.
    const ticking = setInterval(() => clock.advance(200), 5);
    expect(await outcome).toMatchObject({ kind: 'answered', status: 200 });
    clearInterval(ticking);
  });

  test('that closes the connection has failed', async () => {
    const port = await listen(net.createServer((socket) => socket.destroy()));
    expect(await post(senderTo(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'failed' });
  });

  test('that closes an idle connection in the moment of its next use has not failed', async () => {
    let requests = 0;
    const server = net.createServer((socket) => {
      let served = 0;
      socket.on('data', () => {
        requests += 1;
        served += 1;
        if (served > 1) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    const sender = senderTo(`http://127.0.0.1:${await listen(server)}/`);
    expect(await post(sender)).toMatchObject({ kind: 'answered', status: 200 });
    expect(await post(sender)).toMatchObject({ kind: 'answered', status: 200 });
    expect(requests).toBe(3);
  });

  test('that talks nonsense has failed', async () => {
    const port = await listen(net.createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')));
    expect(await post(senderTo(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'failed' });
  });

  test('an attempt that we cut ourselves is no failure', async () => {
    const { url } = await answering(() => undefined);
    const stop = new AbortController();
    const outcome = post(senderTo(url), stop.signal);
    stop.abort();
    expect(await outcome).toEqual({ kind: 'cut' });
    expect(await post(senderTo(url), stop.signal)).toEqual({ kind: 'cut' });
  });
});

describe('where a delivery goes', () => {
  test('a name that leads to another address after the check is refused when connecting', async () => {
    const { url, connections } = await answering((_request, response) => response.end());
    let answers = 0;
    const rebinding: Resolve = async () => {
      answers += 1;
      return [{ address: answers === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }];
    };
    const policy = { loopback: false, privateNetwork: false };
    const name = `http://rebind.test:${new URL(url).port}/`;
    const { checkedAddresses } = await import('./target.ts');
    const rules = { resolve: rebinding, isOwn: () => false };
    await expect(checkedAddresses(rules, new URL(name), policy)).resolves.toHaveLength(1);
    const outcome = await post(senderTo(name, { policy, resolve: rebinding }));
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringContaining('no address') as string });
    expect([answers, connections()]).toEqual([2, 0]);
  });

  test('the connection goes to the checked address, without a second look-up', async () => {
    const { url, connections } = await answering((_request, response) => response.end());
    let looked = 0;
    const once: Resolve = async () => {
      looked += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const outcome = await post(senderTo(`http://nowhere.invalid:${new URL(url).port}/`, { resolve: once }));
    expect(outcome).toMatchObject({ kind: 'answered', status: 200 });
    expect([looked, connections()]).toEqual([1, 1]);
  });

  test('only the account of the machine is told the address of a connection that failed', async () => {
    const failing: Resolve = async () => {
      throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), {
        syscall: 'connect',
        code: 'ECONNREFUSED',
      });
    };
    const errors = [true, false].map(async (isMachine) => {
      const policy = { loopback: isMachine, privateNetwork: true };
      return post(senderTo('http://in.test/', { policy, resolve: failing }));
    });
    expect(await Promise.all(errors)).toEqual([
      { kind: 'failed', error: 'connect ECONNREFUSED 10.0.0.7:443' },
      { kind: 'failed', error: 'The connection failed: ECONNREFUSED' },
    ]);
  });

  test('a literal address is checked, too', async () => {
    const policy = { loopback: false, privateNetwork: false };
    for (const url of ['http://127.0.0.1:1/', 'http://169.254.169.254/', 'http://[::ffff:10.0.0.1]/'])
      expect(await post(senderTo(url, { policy }))).toMatchObject({ kind: 'failed' });
  });
});
