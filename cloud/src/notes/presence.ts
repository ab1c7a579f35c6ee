import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { limits } from '@reverie/shared/protocol/version';

/** What a client says of itself, in the form of y-protocols: a number that grows, and JSON; null once it left. */
interface Said<C> {
  clock: number;
  state: string | null;
  connection: C;
  device: string;
}

/** Who is in a document and doing what; never stored. */
export interface DocumentPresence<C> {
  /** Takes what a connection says; answers what is news, for everybody and for itself. Throws where it is malformed. */
  take(from: { connection: C; device: string }, update: Uint8Array): Uint8Array | undefined;
  /** A connection is gone; answers what the others are to be told. */
  leave(connection: C): Uint8Array | undefined;
  /** Everybody who is there. */
  all(): Uint8Array;
}

const MOST_CLIENTS = 1000;
const MOST_OF_CONNECTION = 8;

/** A device may speak for its own clients only: what it repeats of others, as stock clients do, is no news. */
export function createPresence<C>(): DocumentPresence<C> {
  const clients = new Map<number, Said<C>>();

  function encoded(ids: readonly number[]): Uint8Array {
    const to = encoding.createEncoder();
    encoding.writeVarUint(to, ids.length);
    for (const id of ids) {
      const said = clients.get(id);
      encoding.writeVarUint(to, id);
      encoding.writeVarUint(to, said?.clock ?? 0);
      encoding.writeVarString(to, said?.state ?? 'null');
    }
    return encoding.toUint8Array(to);
  }

  const here = (connection?: C) =>
    [...clients].flatMap(([id, said]) =>
      said.state !== null && (connection === undefined || said.connection === connection) ? [id] : [],
    );

  /** The one that has been known longest of those who left. */
  function forgetOne(): void {
    for (const [id, { state }] of clients) if (state === null) return void clients.delete(id);
  }

  function isNews(id: number, said: Said<C>): boolean {
    const known = clients.get(id);
    if (!known) {
      if (clients.size >= MOST_CLIENTS) forgetOne();
      const isRoom = clients.size < MOST_CLIENTS && here(said.connection).length < MOST_OF_CONNECTION;
      return said.state !== null && isRoom;
    }
    if (known.device !== said.device) return false;
    return (
      said.clock > known.clock || (said.clock === known.clock && said.state === null && known.state !== null)
    );
  }

  return {
    take({ connection, device }, update) {
      const from = decoding.createDecoder(update);
      const count = decoding.readVarUint(from);
      const news: number[] = [];
      for (let n = 0; n < count && n < MOST_CLIENTS; n += 1) {
        const id = decoding.readVarUint(from);
        const clock = decoding.readVarUint(from);
        const text = decoding.readVarString(from);
        if (text.length > limits.presence) throw new Error('The presence is too long');
        const state = JSON.parse(text) === null ? null : text;
        const said = { clock, state, connection, device };
        if (!isNews(id, said)) continue;
        clients.set(id, said);
        news.push(id);
      }
      return news.length > 0 ? encoded(news) : undefined;
    },
    leave(connection) {
      const ids = here(connection);
      // They stay known with their numbers: what somebody repeats of them later must not bring them back.
      for (const id of ids) {
        const said = clients.get(id);
        if (said) said.state = null;
      }
      return ids.length > 0 ? encoded(ids) : undefined;
    },
    all: () => encoded(here()),
  };
}
