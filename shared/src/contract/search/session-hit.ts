import { z } from 'zod';
import { DateTime } from '../fields.ts';
import { Passage } from './passage.ts';

// Apart from the rest of sessions: search and ask need no more of them, and the first view of the page loads no more.

/** What an entry of a session is. `other`: a record that this version does not know, kept whole. */
export const entryKinds = [
  'prompt',
  'answer',
  'thinking',
  'tool_call',
  'tool_result',
  'summary',
  'note',
  'other',
] as const;
export const EntryKind = z.enum(entryKinds);
export type EntryKind = z.infer<typeof EntryKind>;

export const SessionHit = z
  .object({
    session: z.object({
      id: z.string(),
      title: z.string(),
      agent: z.string(),
      project: z.string().nullable(),
      namespace: z.string(),
    }),
    entry: z.string(),
    seq: z.int(),
    at: DateTime,
    kind: EntryKind,
    passage: Passage,
    score: z.number(),
  })
  .meta({ id: 'SessionHit' });
export type SessionHit = z.infer<typeof SessionHit>;
