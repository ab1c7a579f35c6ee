import { bodyHash } from '@reverie/shared/protocol/entry-hash';
import { limits } from '@reverie/shared/protocol/version';
import type { Snapshot } from '@reverie/shared/protocol/messages';
import type { Log } from '../../platform/log.ts';
import type { RelayConnection } from '../relay/connection.ts';
import type { Replicas } from '../replica/replicas.ts';

/** A room whose epoch has begun here, up to its entry `covers`. */
export interface BegunRoom {
  room: string;
  epoch: number;
  covers: number;
  /** Whether the relay granted it to this device, which then offers what it begins with in place of earlier entries. */
  granted: boolean;
}

/** Epochs as they begin on one connection: offered by one device, confirmed by another that came to the same bytes. */
export interface Beginnings {
  /** Begins an epoch here, a slice at a time; `anew`: the log has to be read from its start first. */
  enter(namespaceId: number, at: BegunRoom): Promise<'done' | 'anew' | 'over'>;
  /** Another device offers what a bucket begins with. */
  offered(snapshot: Snapshot): void;
}

interface Document {
  bucket: number;
  body: Uint8Array;
}

/** An offer without its body, of which the hash says enough. */
type Offer = Pick<Snapshot, 'room' | 'bucket' | 'epoch' | 'covers' | 'bodyHash'>;

export interface BeginningsDeps {
  connection: RelayConnection;
  log: Log;
  replicas: Pick<Replicas, 'enter'>;
  /** Whether the connection has ended. */
  isOver: () => boolean;
}

export function createBeginnings({ connection, log, replicas, isOver }: BeginningsDeps): Beginnings {
  const own = new Map<string, Uint8Array>();
  const offers = new Map<string, Offer>();

  function compare(name: string): void {
    const hash = own.get(name);
    const offer = offers.get(name);
    if (!hash || !offer) return;
    offers.delete(name);
    const { room, bucket, covers, epoch } = offer;
    if (Buffer.from(hash).equals(offer.bodyHash))
      connection.send({ type: 'confirm', room, bucket, covers, bodyHash: hash });
    else log.error({ room, bucket, epoch }, 'another device begins an epoch with something else');
  }

  function begun({ room, epoch, covers, granted }: BegunRoom, { bucket, body }: Document): void {
    const hash = Uint8Array.from(bodyHash(body));
    const name = `${room} ${bucket} ${epoch}`;
    own.set(name, hash);
    const fits = covers > 0 && body.length <= limits.body;
    if (granted && fits)
      connection.send({ type: 'snapshot', room, bucket, epoch, covers, enc: false, bodyHash: hash, body });
    compare(name);
  }

  return {
    async enter(namespaceId, at) {
      while (!isOver()) {
        const { is, begun: documents } = replicas.enter(namespaceId, at.epoch);
        for (const document of documents) begun(at, document);
        if (is !== 'more') return is;
        // Requests and the socket come in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return 'over';
    },
    offered({ room, bucket, epoch, covers, bodyHash: told }) {
      const name = `${room} ${bucket} ${epoch}`;
      offers.set(name, { room, bucket, epoch, covers, bodyHash: Uint8Array.from(told) });
      compare(name);
    },
  };
}
