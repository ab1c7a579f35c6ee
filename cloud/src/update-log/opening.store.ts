import { NO_HASH } from '@reverie/shared/protocol/entry-hash';
import { run, type Steps } from '../db/records.ts';

/** Makes the log of a room, unless there is one: within the transaction that makes the room, so that nobody is told of one without the other. */
export function openLog(room: string): Steps<number> {
  return run('INSERT INTO log_rooms (room, hash) VALUES (?, ?) ON CONFLICT (room) DO NOTHING', room, NO_HASH);
}
