import { z } from 'zod';
import { DateTime } from '../fields.ts';
import { Address, if_updated_at } from './memories.ts';
import { route } from '../route.ts';

const PropertyValue = z.union(
  [z.string().max(10_000), z.number(), z.boolean(), z.array(z.string().min(1).max(1_000)).max(100)],
  {
    error:
      'is no value of a property; allowed: a text of at most 10,000 characters, a number, true, false, or a list of at most 100 texts of 1 to 1,000 characters',
  },
);
const PropertyName = z
  .string()
  .trim()
  .min(1, 'is empty; allowed: 1 to 100 characters')
  .max(100, 'is too long; allowed: 1 to 100 characters')
  .refine((name) => !/[\u0000-\u001f\u007f-\u009f]/u.test(name), 'has a control character; leave it out')
  .refine(
    (name) => !/^tags?$/iu.test(name),
    'are the tags of the memory; change them by `POST /memory/tags`',
  );

export const setProperty = route({
  id: 'memory_property',
  method: 'POST',
  path: '/memory/property',
  scope: 'write',
  reach: { can: ['read', 'set'], absent: ['body.namespace'] },
  tag: 'memory',
  summary: 'Give a property of a note another value, or take it away',
  description:
    'It is written where notes say it: in the front matter of the text, which begins with it where there is none yet, or in the lines `key:: value` with which a page of Logseq begins. Nothing else of the text changes, comments and quotation marks included. Of a note out of a file the metadata follows. 400 for front matter that is damaged, or in which the property cannot be written alone.',
  body: Address.extend({
    name: PropertyName,
    value: PropertyValue.nullable().describe(
      'A day is a text such as `2026-12-01`; null takes the property away',
    ),
    if_updated_at,
  }).meta({ id: 'SetProperty' }),
  status: 200,
  response: z.object({ success: z.literal(true), key: z.string(), updated_at: DateTime }),
  problems: ['memory_not_found', 'conflict'],
  idempotent: true,
  costs: 'store',
});
