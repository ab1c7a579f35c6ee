import { ApiError } from '@reverie/shared/client';
import { isDown } from '../../platform/daemon/api.ts';

/** Why a ticket gave no session, for people. */
export function whyNoTicket(error: unknown): string {
  if (isDown(error))
    return 'Reverie did not answer, so the link could not be used. Start it, then open the page again.';
  if (error instanceof ApiError && error.code === 'gone')
    return 'This link was used already or is older than a minute. Open a fresh one.';
  return `This link could not be used: ${messageOf(error)}.`;
}

/** What an error says, as a part of a sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
