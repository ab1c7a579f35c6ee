import { z } from 'zod';

/** What people call a device or a room. */
export const Name = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .trim()
  .min(1, 'is empty')
  .max(256, 'has more than 256 characters');

/** The id of anything on a relay. */
export const Id = z.string().regex(/^[\w-]{1,64}$/, 'is not an id');
