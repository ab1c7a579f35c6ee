import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { Problem } from '@reverie/shared/contract/problems';
import { type RelayAt, relayAgent, unreachable } from '../relay/relay-agent.ts';

/** How long one file may take, and how long nothing of it may come or go, ms. */
const PATIENCE = { all: 10 * 60_000, silence: 60_000 } as const;

/** The bytes of files at a relay. What it refuses throws a `Problem`. */
export interface RelayBlobs {
  /** `later` where it may be taken another time, `refused` where these bytes are not what was named. */
  send(at: { room: string; hash: string }, file: string): Promise<'sent' | 'later' | 'refused'>;
  /** The bytes as they come; undefined where the relay does not have them. */
  get(at: { room: string; hash: string }): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** Makes what sends and gets files with a device's key. It follows no redirect, which could lead the key elsewhere. */
export function relayBlobs({ relay, ca }: RelayAt, key: string): RelayBlobs {
  /** Asks, and answers the reply with its body still to be read; a connection is of one request. */
  async function ask(
    method: 'GET' | 'PUT',
    at: { room: string; hash: string },
    file?: string,
  ): Promise<http.IncomingMessage> {
    const address = new URL(`${relay}/v1/rooms/${encodeURIComponent(at.room)}/blobs/${at.hash}`);
    const size = file === undefined ? undefined : (await stat(file)).size;
    try {
      return await new Promise((resolve, reject) => {
        const request = (address.protocol === 'https:' ? https : http).request(address, {
          method,
          agent: relayAgent({ relay, ca }),
          headers: {
            Authorization: `Bearer ${key}`,
            ...(size !== undefined && { 'Content-Type': 'application/octet-stream', 'Content-Length': size }),
          },
          timeout: PATIENCE.silence,
          signal: AbortSignal.timeout(PATIENCE.all),
        });
        request.on('timeout', () => request.destroy(new Error('Nothing came for a minute')));
        request.on('error', reject);
        request.on('response', resolve);
        if (file === undefined) return request.end();
        const bytes = createReadStream(file);
        bytes.on('error', (cause) => request.destroy(cause));
        request.on('close', () => bytes.destroy());
        return bytes.pipe(request);
      });
    } catch (cause) {
      throw new Problem('relay_unreachable', unreachable(relay, cause), { cause });
    }
  }

  return {
    async send(at, file) {
      const reply = await ask('PUT', at, file);
      reply.destroy();
      // It is named no more, there is no space, or others send theirs just now.
      if ([404, 413, 429].includes(reply.statusCode ?? 0)) return 'later';
      if (reply.statusCode === 400) return 'refused';
      if (reply.statusCode !== 200) throw refused(reply);
      return 'sent';
    },
    async get(at) {
      const reply = await ask('GET', at);
      if (reply.statusCode === 200) return reply;
      reply.destroy();
      if (reply.statusCode === 404) return undefined;
      throw refused(reply);
    },
  };
}

function refused({ statusCode }: http.IncomingMessage): Problem {
  return new Problem('relay_refused', `The relay refused a file with the status ${statusCode}`);
}
