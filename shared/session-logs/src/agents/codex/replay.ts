import { countIn, type LogObject, objectIn, textIn, timeOf } from '../../json.ts';

/** Tells what a fork or a subagent repeats of the session that it was begun from. */
interface Replay {
  /** A `session_meta` of the file, the first one or one that is repeated. */
  meta(payload: LogObject, own: boolean, at: number): void;
  /** Whether a record is repeated from another session. */
  repeats(record: { kind: string; payload: LogObject; ordinal: number | undefined }): boolean;
}

const HEX = /^[0-9a-f]{8}-[0-9a-f]{4}-7/i;

/** Ms since 1970 that a UUID of version 7 was made at. */
function madeAt(uuid: string): number | undefined {
  if (!HEX.test(uuid)) return undefined;
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/**
 * A fork begins with the lines of its parent, written anew with times of the fork, so times say nothing. The ids of turns do: they are
 * of the moment when a turn truly began. Until the first turn that is not older than the session all is repeated. A turn without an
 * id, or with one that `migrate-rollouts` made up (`rollout-7`), is of a parent from before there were ids. An id that is no UUID of
 * version 7 says nothing, and then the lines are taken.
 */
export function createReplay(): Replay {
  let since: number | undefined;
  let begun = 0;
  let startOrdinal: number | undefined;
  return {
    meta(payload, own, at) {
      if (own) {
        begun = madeAt(textIn(payload, 'id') ?? '') ?? timeOf(payload.timestamp) ?? at;
        startOrdinal = countIn(payload, 'subagent_history_start_ordinal');
        if (textIn(payload, 'forked_from_id') === undefined && startOrdinal === undefined) return;
      }
      since = begun > 0 ? begun : undefined;
    },
    repeats({ kind, payload, ordinal }) {
      if (since === undefined) return false;
      if (startOrdinal !== undefined && ordinal !== undefined) {
        if (ordinal < startOrdinal) return true;
        since = undefined;
        return false;
      }
      if (kind !== 'turn_context' && kind !== 'task_started' && kind !== 'turn_started') return true;
      const turn = textIn(payload, 'turn_id');
      if (turn === undefined || /^rollout-\d+$/.test(turn)) return true;
      const made = madeAt(turn);
      if (made !== undefined && made < since) return true;
      since = undefined;
      return false;
    },
  };
}

/** The session that a session was begun from, by its `session_meta`. */
export function parentOf(payload: LogObject): { session: string; kind: 'subagent' | 'fork' } | undefined {
  const subagent = objectIn(objectIn(payload, 'source'), 'subagent');
  const spawner =
    textIn(objectIn(subagent, 'thread_spawn'), 'parent_thread_id') ?? textIn(payload, 'parent_thread_id');
  if (spawner !== undefined) return { session: spawner, kind: 'subagent' };
  const forked = textIn(payload, 'forked_from_id');
  return forked === undefined ? undefined : { session: forked, kind: 'fork' };
}
