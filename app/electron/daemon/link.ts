import { type Client, createClient } from '@reverie/shared/client';
import { Event } from '@reverie/shared/contract/events/events';
import { createTicket } from '@reverie/shared/contract/accounts/keys';
import { connect, NotRunning } from '../../../daemon/src/cli/connection.ts';
import { readDaemonFile } from '../../../daemon/src/platform/home/daemon-file.ts';
import { type Home, readPrivateFile, Refusal } from '../../../daemon/src/platform/home/home.ts';
import { createLines, type Lines } from '../bridge/lines.ts';
import { openSocket } from '../bridge/socket.ts';

/** The daemon of a home, as the main process speaks to it: with the owner key, over proven lines alone. */
export interface DaemonLink {
  lines: Lines;
  client: Client;
  look(): Promise<{ nonce: string; version: string } | undefined>;
  /** Follows events until the daemon is gone; answers how to let go. */
  follow(onEvent: (event: Event) => void, lost: () => void): () => void;
  ticket(): Promise<string>;
}

export function linkDaemon(home: Home, env: NodeJS.ProcessEnv): DaemonLink {
  const lines = createLines({
    async prove(fetch) {
      const { origin, daemon } = await connect(home, env, fetch);
      return { origin, nonce: daemon.nonce };
    },
    nonceNow: () => readDaemonFile(home)?.nonce,
    now: () => performance.now(),
  });
  const ownerKey = () => {
    const key = readPrivateFile(home.ownerKey);
    if (key === undefined) throw new Refusal(`There is no owner key in ${home.ownerKey}.`);
    return key;
  };
  const client = createClient({
    // A line knows where it leads; this name is never looked up.
    origin: 'http://reverie.invalid',
    key: ownerKey,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      return lines.send({
        method: request.method,
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: request.body === null ? undefined : new Uint8Array(await request.arrayBuffer()),
        signal: request.signal,
      });
    },
  });

  return {
    lines,
    client,
    async look() {
      try {
        const line = await lines.take();
        line.agent.destroy();
        return { nonce: line.nonce, version: readDaemonFile(home)?.version ?? '' };
      } catch (cause) {
        if (cause instanceof NotRunning) return undefined;
        throw cause;
      }
    },
    follow(onEvent, lost) {
      let close: (() => void) | undefined;
      let isOver = false;
      const end = () => {
        if (isOver) return;
        isOver = true;
        lost();
      };
      const received = (data: Buffer) => {
        const event = Event.safeParse(parsed(data.toString('utf8')));
        if (event.success && !isOver) onEvent(event.data);
      };
      openSocket(
        lines,
        { path: '/v1/stream', authorization: `Bearer ${ownerKey()}` },
        { received, closed: end },
      ).then((stream) => {
        close = stream.close;
        if (isOver) close();
      }, end);
      return () => {
        isOver = true;
        close?.();
      };
    },
    ticket: async () => (await client(createTicket, {})).ticket,
  };
}

/** A message that is no JSON is none of ours. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
