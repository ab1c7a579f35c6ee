import type { ErrorCode, NewEntry } from '@reverie/shared/protocol/messages';
import { hasMoreParts, MOST_PARTS } from '@reverie/shared/protocol/update-parts';
import { decodeUpdate } from 'yjs';

/** Clocks of devices may be this far ahead of the relay's. */
export const MOST_AHEAD_MS = 600_000;

/** Why a body is not taken. */
export const UNREADABLE = `The body is no Yjs update, nor a record in JSON, or holds more than ${MOST_PARTS} structures`;

/**
 * Why an entry is refused before the log is asked; undefined where it is not.
 * `isRead`: whether its body could be read, as far as it has to be.
 */
export function refusalOf(
  entry: NewEntry,
  { now, isRead }: { now: number; isRead: boolean },
): { code: ErrorCode; detail: string } | undefined {
  const newest = entry.kind === 'clear' ? Math.max(entry.at, entry.clearedBefore.ms) : entry.at;
  if (newest > now + MOST_AHEAD_MS)
    return {
      code: 'clock_ahead',
      detail: `This is stamped ${Math.round((newest - now) / 60_000)} minutes after the relay's clock; set the clock of the device`,
    };
  return isRead ? undefined : { code: 'invalid', detail: UNREADABLE };
}

/**
 * Whether a body can be read as a Yjs update that keeps no device busy for long;
 * true for an encrypted one. Takes 3 µs for 400 bytes, and makes no document.
 */
export function isReadable({ enc, body }: { enc: boolean; body: Uint8Array }): boolean {
  if (enc) return true;
  try {
    // A copy: the decoder looks for the end of the buffer below, which is other people's for a view.
    const own = Uint8Array.from(body);
    if (hasMoreParts(own)) return false;
    decodeUpdate(own);
    return true;
  } catch {
    return false;
  }
}

/** Whether bytes are an object in JSON, as a record is. */
export function isJsonObject(body: Uint8Array): boolean {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

/** Bytes that accounts hold, kept in memory once they were asked for. */
export interface Space {
  /** Bytes of the logs of an account's own rooms. */
  used(account: string): number | Promise<number>;
  add(account: string, bytes: number): void;
  /** Is asked anew at the next use. */
  forget(account: string): void;
  /** The same for all accounts: others may add to what they hold, too. */
  forgetAll(): void;
}

export function createSpace(
  bytesOf: (room: string) => Promise<number>,
  ownRooms: (account: string) => Promise<string[]>,
): Space {
  const known = new Map<string, number>();
  /** How often something was to be asked anew: what was asked before may be of before. */
  let forgotten = 0;
  return {
    used(account) {
      const held = known.get(account);
      if (held !== undefined) return held;
      const before = forgotten;
      return ownRooms(account)
        .then((rooms) => Promise.all(rooms.map(bytesOf)))
        .then((sizes) => {
          const sum = sizes.reduce((all, bytes) => all + bytes, 0);
          if (before === forgotten) known.set(account, sum);
          return sum;
        });
    },
    add(account, bytes) {
      const held = known.get(account);
      if (held !== undefined) known.set(account, held + bytes);
    },
    forget(account) {
      forgotten += 1;
      known.delete(account);
    },
    forgetAll() {
      forgotten += 1;
      known.clear();
    },
  };
}
