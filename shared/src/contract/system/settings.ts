import { z } from 'zod';
import { Namespace } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'system';

/** How the page looks: as the machine does, or always one of both. */
export const themes = ['system', 'light', 'dark'] as const;
export const Theme = z.enum(themes);

/** Whose way to write dates, times and numbers in English the page follows. */
export const Region = z
  .string()
  .regex(/^en-[A-Z]{2}$/, 'must be English of a region, such as en-GB or en-US');

export const TimeZone = z.string().refine(isTimeZone, 'must be a time zone, such as Europe/Berlin');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // It says so of a name that it does not know.
    return false;
  }
}

/** When dreams begin by themselves: a time of day on the clock of this machine, or not at all. */
export const DreamSchedule = z.union([z.literal('off'), z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)], {
  error: 'must be `off` or a time of day such as 03:30',
});

const budget = 'must be a whole number from 0 to 1000000000';
export const DreamBudget = z.int(budget).min(0, budget).max(1e9, budget);

const days = 'must be a whole number from 1 to 3650';
export const TrashDays = z.int(days).min(1, days).max(3650, days);

export const Settings = z
  .object({
    thoughts: z.object({
      namespace: Namespace.describe('Where a thought is kept that is written down in passing'),
    }),
    page: z.object({
      theme: Theme,
      region: Region.nullable().describe('Null: as each browser says'),
      time_zone: TimeZone.nullable().describe('Null: as each browser says'),
    }),
    dream: z.object({
      schedule: DreamSchedule.describe('When each changed namespace dreams, on the clock of this machine'),
      budget_tokens: DreamBudget.describe('Tokens of a language model that one dream may take'),
    }),
    trash: z.object({
      days: TrashDays.describe('Days after which what is in the trash is deleted for good'),
    }),
    fixed: z
      .array(z.object({ name: z.string(), by: z.string() }))
      .describe('Those that a variable or a flag of the start sets, by dotted name: they are changed there'),
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
    'Written into `config.json`, and held from then on; what is not named stays, and null takes a choice back. What a variable or a flag of the start sets is refused with `conflict`, and stays.',
  body: z
    .strictObject({
      thoughts: z.strictObject({ namespace: Namespace }).optional(),
      page: z
        .strictObject({ theme: Theme, region: Region.nullable(), time_zone: TimeZone.nullable() })
        .partial()
        .optional(),
      dream: z.strictObject({ schedule: DreamSchedule, budget_tokens: DreamBudget }).partial().optional(),
      trash: z.strictObject({ days: TrashDays }).optional(),
    })
    .refine(
      (body) => Object.values(body).some((group) => group !== undefined && Object.keys(group).length > 0),
      {
        error: 'must name at least one setting, such as {"trash": {"days": 60}}',
      },
    )
    .meta({ id: 'SettingsChange' }),
  response: Settings,
  status: 200,
  problems: ['conflict', 'disk_full'],
});
