import { z } from 'zod';
import { DateTime } from '../fields.ts';

/** That the sharing of a coding session ended, and nobody here ended it; beside the status of sync, which the page reads first. */
export const SharingEnded = z
  .object({
    reason: z
      .enum(['restored', 'ended', 'left'])
      .describe(
        '`restored`: the relay was restored from before the session was shared; `ended` by its owner, or on another device, or this account was removed; `left`: this machine left the relay where it was shared',
      ),
    at: DateTime,
    message: z.string().describe('What happened and what can be done, for people'),
  })
  .meta({ id: 'SharingEnded' });
export type SharingEnded = z.infer<typeof SharingEnded>;
