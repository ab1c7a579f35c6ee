import { bodyHash } from '@reverie/shared/protocol/entry-hash';
import { limits } from '@reverie/shared/protocol/version';
import type { Snapshot } from '@reverie/shared/protocol/messages';
import type { Log } from '../platform/log.ts';
import type { Connection } from './connection.ts';

/** A room whose epoch has begun here, up to its entry `covers`. */
export interface BegunRoom {
  room: string;
  epoch: number;
  covers: number;
  /** Whether the relay granted it to this device, which then offers what it begins with in place of earlier entries. */
  granted: boolean;
}

/** What epochs begin with on one connection: offered by one device, confirmed by another that came to the same bytes. */
export interface Beginnings {
  begun(at: BegunRoom, documents: readonly { bucket: number; body: Uint8Array }[]): void;
  /** Another device offers what a bucket begins with. */
  offered(snapshot: Snapshot): void;
}

/** An offer without its body, of which the hash says enough. */
type Offer = Pick<Snapshot, 'room' | 'bucket' | 'epoch' | 'covers' | 'bodyHash'>;

export function createBeginnings({ connection, log }: { connection: Connection; log: Log }): Beginnings {
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

  return {
    begun({ room, epoch, covers, granted }, documents) {
      for (const { bucket, body } of documents) {
        const hash = Uint8Array.from(bodyHash(body));
        const name = `${room} ${bucket} ${epoch}`;
        own.set(name, hash);
        const fits = covers > 0 && body.length <= limits.body;
        if (granted && fits)
          connection.send({
            type: 'snapshot',
            room,
            bucket,
            epoch,
            covers,
            enc: false,
            bodyHash: hash,
            body,
          });
        compare(name);
      }
    },
    offered({ room, bucket, epoch, covers, bodyHash: told }) {
      const name = `${room} ${bucket} ${epoch}`;
      offers.set(name, { room, bucket, epoch, covers, bodyHash: Uint8Array.from(told) });
      compare(name);
    },
  };
}
