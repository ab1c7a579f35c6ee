import { ApiError } from '@reverie/shared/client';

/** Whether there is no such session, for whoever asks. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'session_not_found';
}

/** Whether something needs a relay, and this machine is not linked to one. */
export function isUnlinked(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_linked';
}
