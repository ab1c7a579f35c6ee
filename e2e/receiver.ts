import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebhookBody } from '@reverie/shared/contract/events/webhooks';

/** What a webhook sent. */
export interface Receipt {
  id: string;
  type: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks on this machine that answers as it is told. */
export interface Receiver {
  url: string;
  receipts: Receipt[];
  /** What it answers from now on. */
  answer(status: number, body?: string): void;
  /** From now on it answers what it was sent. */
  echo(): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const receipts: Receipt[] = [];
  let reply: { status: number; body: string | undefined } = { status: 200, body: 'thanks' };
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { id, type } = WebhookBody.parse(JSON.parse(body));
    receipts.push({ id, type, headers: request.headers, body });
    response.writeHead(reply.status).end(reply.body ?? body);
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    receipts,
    answer: (status, body = '') => {
      reply = { status, body };
    },
    echo: () => {
      reply = { status: 200, body: undefined };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
