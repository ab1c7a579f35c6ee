import type { Client } from '@reverie/shared/client';
import { listEvents, type Event } from '@reverie/shared/contract/events/events';
import { currentKey } from '@reverie/shared/contract/accounts/keys';
import { STREAM_PROTOCOL, StreamMessage } from '@reverie/shared/contract/events/stream';
import type { Clock } from '../clock.ts';
import {
  advance,
  livenessOf,
  type StreamConnection,
  type ConnectionEffect,
  type ConnectionInput,
  type Cursor,
  type Liveness,
} from './connection.ts';
import { createStore } from '../store.ts';

/** Whether the page hears of changes as they happen. */
export const liveness = createStore<Liveness>('connecting');

/** What an open socket tells. */
export interface SocketEvents {
  opened: () => void;
  received: (text: string) => void;
  closed: () => void;
}

interface LiveDeps {
  call: Client;
  /** The end of the log, where it is being asked for with something else; undefined where it is not. */
  cursor?: () => Promise<Cursor> | undefined;
  clock: Clock;
  random: () => number;
  /** Opens a socket at a place of the log; answers how to close it, after which it tells nothing more. */
  open: (cursor: Cursor, events: SocketEvents) => () => void;
  onEvent: (event: Event) => void;
  onMissed: () => void;
}

/** Follows the stream until it is stopped; `retry` makes a waiting connection try at once. */
export function startLive(deps: LiveDeps): { stop: () => void; retry: () => void } {
  let connection: StreamConnection = { kind: 'stopped' };
  let close: (() => void) | undefined;
  let cancelWait: (() => void) | undefined;

  const give = (input: ConnectionInput) => {
    const { next, effects } = advance(connection, input, deps.random);
    connection = next;
    liveness.set(livenessOf(next));
    for (const effect of effects) run(effect);
  };
  const ask = async () => {
    try {
      give({ kind: 'cursor', cursor: await (deps.cursor?.() ?? endOfLog(deps.call)) });
    } catch {
      // `call` has noted what it means: unreachable, or the session ended. This only tries again.
      give({ kind: 'cursor_failed' });
    }
  };
  const disconnect = () => {
    cancelWait?.();
    close?.();
    close = undefined;
  };
  const run = (effect: ConnectionEffect) => {
    switch (effect.kind) {
      case 'ask':
        return void ask();
      case 'disconnect':
        return disconnect();
      case 'probe':
        // Both answers are noted by `call`: it ends a session that is no longer known.
        return void deps.call(currentKey, {}).then(
          () => undefined,
          () => undefined,
        );
      case 'connect':
        disconnect();
        close = deps.open(effect.cursor, {
          opened: () => give({ kind: 'opened' }),
          received: (text) => give({ kind: 'message', message: readMessage(text) }),
          closed: () => give({ kind: 'closed' }),
        });
        return;
      case 'wait':
        cancelWait = deps.clock.after(effect.ms, () => give({ kind: 'waited' }));
        return;
      case 'event':
        return deps.onEvent(effect.event);
      case 'missed':
        return deps.onMissed();
    }
  };
  give({ kind: 'start' });
  return { stop: () => give({ kind: 'stop' }), retry: () => give({ kind: 'retry' }) };
}

async function endOfLog(call: Client): Promise<Cursor> {
  const { newest_seq, log_id } = await call(listEvents, { query: { limit: 1 } });
  return { since: newest_seq, log_id };
}

function readMessage(text: string): StreamMessage | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  return StreamMessage.safeParse(given).data;
}

/** The address of the page's own server for WebSockets. */
export function socketOrigin(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}`;
}

/** A WebSocket to the stream of the page's own origin, with the key beside the subprotocol. */
export function openStream(token: string): (cursor: Cursor, events: SocketEvents) => () => void {
  return (cursor, events) => {
    const query = new URLSearchParams({ since: String(cursor.since), log_id: cursor.log_id });
    const socket = new WebSocket(`${socketOrigin()}/v1/stream?${query}`, [
      STREAM_PROTOCOL,
      `bearer.${token}`,
    ]);
    const over = new AbortController();
    const { signal } = over;
    socket.addEventListener('open', events.opened, { signal });
    socket.addEventListener('message', ({ data }) => events.received(String(data)), { signal });
    // An error is always followed by the close.
    socket.addEventListener('close', events.closed, { signal });
    return () => {
      over.abort();
      socket.close();
    };
  };
}
