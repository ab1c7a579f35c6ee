import { z } from 'zod';

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Whatever text reaches a relay has to be one that every database can hold: Postgres takes no NUL, and UTF-8 no lone surrogate. */
const storable = (schema: z.ZodString) =>
  schema
    .refine((text) => text.isWellFormed(), 'has a lone surrogate, which UTF-8 cannot hold')
    .refine((text) => !CONTROL.test(text), 'has a control character');

const given = z.string({
  error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string'),
});

/** A text of 1 to `max` characters, as it was sent. */
export const textOf = (max: number) =>
  storable(given.min(1, 'is empty').max(max, `has more than ${max} characters`));

/** What people call a device or a room. */
export const Name = storable(given.trim().min(1, 'is empty').max(256, 'has more than 256 characters'));

/** The id of anything on a relay. */
export const Id = z.string().regex(/^[\w-]{1,64}$/, 'is not an id');
