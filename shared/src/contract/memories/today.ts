import { z } from 'zod';
import { Author } from '../author.ts';
import { Insight } from '../dreams/dreams.ts';
import { Actor } from '../events/events.ts';
import { DateTime, DateTimeInput } from '../fields.ts';
import { NamespaceRow } from './memories.ts';
import { route } from '../route.ts';
import { Settings } from '../system/settings.ts';

/** What can be asked for of today. */
export const todayParts = [
  'namespaces',
  'to_decide',
  'decided',
  'coming_up',
  'unread',
  'doings',
  'settings',
] as const;

/** What somebody did to the memories of a namespace. */
const Doing = z
  .object({
    actor: Actor,
    name: z
      .string()
      .nullable()
      .describe('What the key of the actor is called; null for others, and where an owner key did not ask'),
    author: Author.optional().describe('Who it was, where it was done on another device'),
    namespace: z.string(),
    wrote: z.int(),
    changed: z.int(),
    deleted: z.int(),
    at: DateTime.describe('When the last of it was done'),
  })
  .meta({ id: 'Doing' });
export type Doing = z.infer<typeof Doing>;

export const today = route({
  id: 'today',
  method: 'GET',
  path: '/today',
  scope: 'read',
  reach: { can: ['read'], filtered: true },
  weight: 'heavy',
  tag: 'system',
  summary: 'What a person looks at first, all of it as it is at one moment',
  query: z.strictObject({
    decided_since: DateTimeInput.optional().describe(
      'From when on decisions are counted: when the day of the person began; a day ago where omitted',
    ),
    done_since: DateTimeInput.optional().describe(
      'From when on `doings` are told, of the newest 20,000 events; two days ago where omitted',
    ),
    parts: z
      .preprocess(
        (given) => (typeof given === 'string' ? given.split(',').filter((one) => one !== '') : given),
        z.array(z.enum(todayParts)).min(1, 'must name a part, or be left out for all of them').optional(),
      )
      .describe('Which parts are asked for, with commas between them; all where omitted'),
  }),
  status: 200,
  response: z.object({
    cursor: z
      .object({ since: z.int(), log_id: z.string() })
      .describe('The place of the event log at this moment, from which the stream goes on'),
    namespaces: z.array(NamespaceRow).optional(),
    to_decide: z
      .object({
        count: z
          .int()
          .describe('Proposals that wait for a decision: neither what comes up nor what was put off'),
        insights: z.array(Insight).describe('The strongest of them, seven at most'),
      })
      .optional(),
    decided: z
      .object({
        count: z
          .int()
          .describe(
            'Proposals that were decided on since `decided_since`, 20 at most and none of those that come up',
          ),
        dreamt: z.boolean().describe('Whether there ever was a dream'),
      })
      .optional(),
    coming_up: z
      .object({ insights: z.array(Insight), more: z.boolean() })
      .optional()
      .describe('What comes up and was not decided on, soonest first, 50 at most'),
    unread: z
      .array(z.object({ namespace: z.string(), count: z.int() }))
      .optional()
      .describe('Inboxes with unread messages of others than `person`, the 20 with the most of them'),
    doings: z.array(Doing).optional().describe('A line for each actor and namespace, the latest first'),
    settings: Settings.nullable()
      .optional()
      .describe('What the person chose for every window; null for others than the owner of the machine'),
  }),
  problems: [],
});
