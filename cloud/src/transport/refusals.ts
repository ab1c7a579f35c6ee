import { Problem } from '@reverie/shared/contract/problems';
import type { ErrorCode } from '@reverie/shared/protocol/messages';

/** Why something of a room is not taken. */
export interface Refused {
  code: ErrorCode;
  detail: string;
}

/** How long a refused device should wait before it tries again, ms. */
export const LATER_MS = 5000;

export const NO_SPACE: Refused = {
  code: 'quota',
  detail: "The space of the room's owner on this relay is used up",
};

export const GONE: Refused = { code: 'gone', detail: 'This room is gone, or not yours' };

/** The refusal after which a device sends the entry again, and all behind it, in their order. */
export const BUSY = {
  code: 'later',
  detail: 'Much of this account waits to be read already',
  retryAfterMs: LATER_MS,
} as const;

/** Said to a device whose account was disabled. It asks again in a while: the account may be enabled. */
export const DISABLED = {
  code: 'forbidden',
  detail: 'This account was disabled by who runs the relay',
  retryAfterMs: 60_000,
} as const;

export const disabled = () => new Problem('account_disabled', DISABLED.detail);
