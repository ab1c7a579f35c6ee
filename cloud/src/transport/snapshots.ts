import { randomInt } from 'node:crypto';
import { bodyHash } from '@reverie/shared/protocol/entry-hash';
import { epochAfter, MOST_OFFSET } from '@reverie/shared/protocol/epoch-number';
import type { Confirm, EpochAsked, Role, Snapshot } from '@reverie/shared/protocol/messages';
import { type Space, UNREADABLE } from './admission.ts';
import type { Clock } from '@reverie/shared/time/clock';
import type { DeviceConnection } from './connection.ts';
import type { Readers } from './readers.ts';
import { mayManage } from '../rooms/membership.ts';
import { BUSY, GONE, NO_SPACE } from './refusals.ts';
import type { UpdateLog } from '../update-log/update-log.ts';
import type { Readability } from './update-reader.ts';

export interface SnapshotsDeps {
  log: UpdateLog;
  clock: Clock;
  space: Space;
  readers: Readers;
  world: {
    /** Whose space a room takes, for who may write in it; who may not is told so. */
    writerOf(connection: DeviceConnection, room: string): Promise<{ role: Role; owner: string } | undefined>;
    quotaOf(account: string): number | Promise<number>;
    read(account: string, bodies: readonly Uint8Array[]): readonly boolean[] | Promise<Readability>;
    /** A room is at another epoch, or has other snapshots: told to other nodes. */
    tell(room: string): void;
  };
}

/** Epochs, and what devices offer in place of the entries before them. */
export interface Snapshots {
  take(connection: DeviceConnection, message: Snapshot): Promise<void>;
  confirm(connection: DeviceConnection, message: Confirm): Promise<void>;
  advance(connection: DeviceConnection, message: EpochAsked): Promise<void>;
  /** Snapshots wait, which were offered elsewhere: a device here looks at each. */
  offered(room: string): Promise<void>;
}

export function createSnapshots({ log, clock, space, readers, world }: SnapshotsDeps): Snapshots {
  /** Also where the space is used up, if the snapshot lets as much go as it takes: nothing else makes room in a log that is full. */
  async function hasSpace(owner: string, { room, bucket, covers, body }: Snapshot): Promise<boolean> {
    if ((await space.used(owner)) + body.length <= (await world.quotaOf(owner))) return true;
    return body.length <= (await log.covered({ room, bucket, covers }));
  }

  /** One that reads a room, has read all, and is not this device; nor one that may not read what a snapshot holds, for it is of before. */
  const otherThan = (device: string, { room, covers }: Snapshot) =>
    readers
      .of(room)
      .find((one) => one.mode === 'live' && one.since < covers && one.connection.device !== device)
      ?.connection;

  return {
    async take(connection, message) {
      const { room, body } = message;
      const allowed = await world.writerOf(connection, room);
      if (!allowed) return;
      if (!Buffer.from(bodyHash(body)).equals(message.bodyHash))
        return connection.refuse({ code: 'invalid', detail: 'The hash is that of another body', room });
      const answer = message.enc ? [true] : await world.read(connection.account, [body]);
      if (answer === 'later') return connection.refuse({ ...BUSY, room });
      if (answer[0] !== true) return connection.refuse({ code: 'invalid', detail: UNREADABLE, room });
      if (!(await hasSpace(allowed.owner, message))) return connection.refuse({ ...NO_SPACE, room });
      const isKept = await log.putSnapshot({ ...message, device: connection.device, at: clock.now() });
      space.forget(allowed.owner);
      if (!isKept) return;
      // One other device looks whether it says the same.
      const asked = otherThan(connection.device, message);
      if (asked) asked.send(message);
      else world.tell(room);
    },
    async offered(room) {
      for (const { device, at: _at, ...snapshot } of await log.offered(room))
        otherThan(device, snapshot)?.send(snapshot);
    },
    async confirm(connection, message) {
      const { type: _type, ...name } = message;
      const allowed = await world.writerOf(connection, message.room);
      if (!allowed) return;
      if (!(await log.confirmSnapshot({ ...name, device: connection.device }))) return;
      space.forget(allowed.owner);
      await readers.tellSettled(message.room);
      world.tell(message.room);
    },
    async advance(connection, { room, from, present }) {
      const allowed = await world.writerOf(connection, room);
      if (!allowed) return;
      // It lets go of what others may still want, and of a run of numbers, of which a room has two million.
      if (present && !mayManage(allowed.role)) {
        const detail = 'Only the owner of a room begins it anew with what there is now';
        return connection.refuse({ code: 'forbidden', detail, room });
      }
      const result = await log.advanceEpoch(room, {
        from,
        to: epochAfter(from, { present, offset: randomInt(MOST_OFFSET) }),
      });
      if (!result) return connection.refuse({ ...GONE, room });
      connection.send({ type: 'epochIs', room, ...result });
      if (!result.granted) return;
      world.tell(room);
      for (const { connection: other } of readers.of(room))
        if (other !== connection) other.send({ type: 'epochIs', room, epoch: result.epoch, granted: false });
    },
  };
}
