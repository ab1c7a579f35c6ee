import type { Clock } from '@reverie/shared/time/clock';
import type { Logger } from 'pino';
import type { AccessChanges } from './access-changes.ts';
import type { NoteSockets } from '../notes/note-sockets.ts';
import { roomOfNote } from '../peers/held-names.ts';
import type { Here } from '../peers/peers.ts';
import type { Sockets } from './sockets.ts';
import type { Syncing } from './syncing.ts';

export interface HereDeps {
  clock: Clock;
  log: Logger;
  access: AccessChanges;
  /** Whom this node serves. */
  served: { syncing: Syncing; sockets: Sockets; notes: NoteSockets };
  world: Pick<Here, 'countAnew' | 'leave'>;
}

/** What this node does about what the others tell. */
export function createHere({ clock, log, access, served, world }: HereDeps): Here {
  const { syncing, sockets, notes } = served;
  const tried = (done: Promise<void>) =>
    void done.catch((err: unknown) => log.error({ err }, 'what another node told could not be done'));

  function comeAgain(why: string): void {
    log.warn({ why }, 'all devices are sent on');
    sockets.comeAgain(why);
    notes.comeAgain();
  }

  return {
    ...world,
    now: () => clock.now(),
    rooms: () => new Set([...syncing.rooms(), ...notes.rooms()]),
    *devices() {
      yield* sockets.devices();
      yield* notes.devices();
    },
    grown: (room, head) => syncing.grown(room, head),
    epochIs: (room, epoch) => syncing.epochIs(room, epoch),
    membersChanged: (room) => tried(access.membersChanged(room)),
    offered: (room) => tried(syncing.offered(room)),
    accountChanged: access.accountChanged,
    shutOut: access.shutOut,
    presence: (said) => syncing.presence(said),
    lost(name) {
      const room = roomOfNote(name);
      if (room !== undefined) notes.drop(room);
    },
    renamed: () => comeAgain('The relay goes on with another database'),
    cutOff: () => comeAgain('This node does not reach its database'),
  };
}
