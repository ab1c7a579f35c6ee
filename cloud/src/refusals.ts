import type { ErrorCode } from '@reverie/shared/protocol/messages';

/** Why something of a room is not taken. */
export interface Refused {
  code: ErrorCode;
  detail: string;
}

/** When it is of use to come again, ms. */
export const LATER_MS = 5000;

export const NO_SPACE: Refused = {
  code: 'quota',
  detail: "The space of the room's owner on this relay is used up",
};

export const GONE: Refused = { code: 'gone', detail: 'This room is gone, or not yours' };

/** The device sends it again, and all behind it in its order. */
export const BUSY = {
  code: 'later',
  detail: 'Much of this account waits to be read already',
  retryAfterMs: LATER_MS,
} as const;
