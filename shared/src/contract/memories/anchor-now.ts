import { z } from 'zod';

const text = z.string().optional();

/** An anchor, and what became of its code since. It is in the first view of the page, so it says little. */
export const AnchorNow = z
  .object({
    path: z.string(),
    lines: text,
    symbol: text,
    state: z.enum(['same', 'moved', 'changed', 'gone', 'unchecked']),
    path_now: text,
    lines_now: text,
    commit: text,
  })
  .meta({ id: 'AnchorNow' });
export type AnchorNow = z.infer<typeof AnchorNow>;
