import type { ErrorCode, NewEntry } from '@reverie/shared/protocol/messages';
import { noteWeight, participantLimits } from '@reverie/shared/protocol/participant-limits';
import { RECORD_BUCKET } from '@reverie/shared/protocol/version';
import type { Records } from '../db/records.ts';
import { countWritten, type Written } from './participants.store.ts';

/** Why a participant's entry is not taken now, or at all. */
export interface Overdrawn {
  code: ErrorCode;
  detail: string;
  retryAfterMs: number;
}

/** What an account may write into a room of somebody else's. */
export interface Allowance {
  /** Takes an entry into account; answers what refuses it, undefined where nothing does. */
  take(entry: NewEntry, now: number): Overdrawn | undefined;
}

/** What participants have written into rooms of records, such as shared sessions: counted once, then kept in memory. */
export interface Participants {
  /** The allowance of an account in a room that it does not own; a promise where it has to be counted first. */
  of(room: string, account: string): Allowance | Promise<Allowance>;
}

const HOUR = 3_600_000;
/** How long who was refused waits at least: what it sends then comes in one message. */
const LATER = 60_000;
/** Allowances that are kept. */
const KEPT = 10_000;

export function createParticipants(records: Pick<Records, 'read'>): Participants {
  const known = new Map<string, Allowance>();
  return {
    of(room, account) {
      const name = `${room} ${account}`;
      const before = known.get(name);
      if (before) return before;
      return records
        .read(() => countWritten(room, account))
        .then((written) => {
          const made = known.get(name) ?? allowanceOf(written);
          known.set(name, made);
          const [oldest] = known.keys();
          if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
          return made;
        });
    },
  };
}

function allowanceOf({ ofRecords, notes }: Written): Allowance {
  const { hourly, total } = participantLimits;
  let taken = notes;
  let left: number = hourly;
  let last: number | undefined;
  return {
    take(entry, now) {
      const isRecord = entry.kind === 'update' && entry.bucket === RECORD_BUCKET;
      if (!ofRecords && !isRecord) return undefined;
      const weight = noteWeight(entry.kind === 'update' ? entry.body.length : 0);
      if (taken + weight > total)
        return {
          code: 'forbidden',
          detail: `You have written ${total.toLocaleString('en')} notes into this session, as many as a participant may`,
          retryAfterMs: 0,
        };
      // A clock that is set back takes nothing away.
      left = Math.min(hourly, left + (Math.max(0, now - (last ?? now)) / HOUR) * hourly);
      last = now;
      if (left < weight)
        return {
          code: 'rate_limited',
          detail: `You have written ${hourly} notes into this session within an hour, as many as a participant may`,
          retryAfterMs: Math.max(LATER, Math.ceil(((weight - left) / hourly) * HOUR)),
        };
      left -= weight;
      taken += weight;
      return undefined;
    },
  };
}
