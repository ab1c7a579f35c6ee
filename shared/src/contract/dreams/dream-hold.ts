import { z } from 'zod';
import { DateTime } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'dreams';

export const holdDreams = route({
  id: 'dream_hold',
  method: 'POST',
  path: '/memory/dream/hold',
  scope: 'owner',
  tag,
  summary: 'Have dreams that have not begun wait for some time: while the battery is low, say',
  description:
    'Counts anew with each call, and ends by itself, so that a program which asked for it and ended holds nothing up. A dream that runs goes on; one that is started waits as `queued`.',
  body: z
    .strictObject({
      seconds: z.int().min(0).max(3600).describe('0 lets them go on at once'),
      why: z.string().max(200).default('').describe('For people, such as `on battery, 31 %`'),
    })
    .meta({ id: 'HoldDreams' }),
  status: 200,
  response: z.object({
    held_until: DateTime.nullable().describe('Null where none are held'),
    why: z.string(),
  }),
  problems: ['forbidden_scope'],
});
