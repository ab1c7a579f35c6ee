import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface ReceivedRequest {
  headers: Record<string, string>;
  body: string;
  /** The event's `seq`; null for a test. */
  seq: number | null;
}

export type ReceiverAnswer = (response: http.ServerResponse, received: ReceivedRequest) => void;

/** A real receiver on a free port of the loopback. */
export interface Receiver {
  url: string;
  received: ReceivedRequest[];
  /** Resolves once so many requests came in all. */
  got(count: number): Promise<ReceivedRequest[]>;
  /** How it answers from now on; 200 at first. */
  answer: ReceiverAnswer;
  stop(): Promise<void>;
}

/** Starts a receiver; with a port it comes back where it was before. */
export async function startReceiver(
  answer: ReceiverAnswer = (response) => response.end('ok'),
  port = 0,
): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  let waiting: { count: number; tell: () => void }[] = [];
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString('utf8');
      const { seq } = JSON.parse(body) as { seq: number | null };
      const one = { headers: request.headers as Record<string, string>, body, seq };
      received.push(one);
      receiver.answer(response, one);
      for (const { count, tell } of waiting) if (received.length >= count) tell();
      waiting = waiting.filter(({ count }) => received.length < count);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer,
    got: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve(received);
        else waiting.push({ count, tell: () => resolve(received) });
      }),
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}
