import { z } from 'zod';
import { Namespace } from './fields.ts';
import { route } from './route.ts';

const tag = 'system';

export const Settings = z
  .object({
    thoughts: z.object({
      namespace: Namespace.describe('Where a thought is kept that is written down in passing'),
    }),
  })
  .meta({ id: 'Settings' });

export const getSettings = route({
  id: 'settings_get',
  method: 'GET',
  path: '/settings',
  scope: 'owner',
  tag,
  summary: 'What a person chose for every window of this machine',
  response: Settings,
  status: 200,
  problems: ['conflict'],
});

export const changeSettings = route({
  id: 'settings_change',
  method: 'PATCH',
  path: '/settings',
  scope: 'owner',
  tag,
  summary: 'Change what holds for every window',
  description:
    'Written into `config.json`, and held from then on. What a variable or a flag of the start sets is refused with `conflict`, and stays.',
  body: z.strictObject({ thoughts: z.strictObject({ namespace: Namespace }) }).meta({ id: 'SettingsChange' }),
  response: Settings,
  status: 200,
  problems: ['conflict', 'disk_full'],
});
