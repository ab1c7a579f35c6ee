import { z } from 'zod';
import { inQuery, Key, limitOf, NamespaceOrEvery, Query } from '../fields.ts';
import { route } from '../route.ts';
import { SessionId } from '../sessions/sessions.ts';

/** Characters of a pattern at most, and of a line as it is answered. */
export const grepLimits = { pattern: 1_000, line: 300, context: 5, lines: 200 } as const;

const Flag = z.enum(['true', 'false']).default('false');

export const GrepLine = z
  .object({
    namespace: z.string(),
    key: z.string().optional().describe('Of the memory; missing for a session'),
    session: z.string().optional().describe('The id of the session; missing for a memory'),
    entry: z
      .int()
      .optional()
      .describe('Which entry of the session, counted from 1 in the order of its log: `offset` + 1'),
    line: z.int().describe('Which line of the text, counted from 1'),
    text: z
      .string()
      .describe(`The line; of a long one ${grepLimits.line} characters around what fits, between …`),
    before: z.array(z.string()),
    after: z.array(z.string()),
  })
  .meta({ id: 'GrepLine' });
export type GrepLine = z.infer<typeof GrepLine>;

export const grepMemory = route({
  id: 'memory_grep',
  method: 'GET',
  weight: 'heavy',
  path: '/memory/grep',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag: 'memory',
  summary: 'Lines of memories, or of coding sessions, that have exactly this',
  description:
    'As `grep` does, newest text first; nothing is ranked, and hidden memories are left out. A regular expression is one of JavaScript and is held against single lines, in a thread that is ended after some seconds: then `stopped` says so, and what was found until then is answered. Of an entry of a session 65,536 characters are read, and secrets are taken out of what is answered; one that cannot be looked through for them is not answered.',
  query: z.strictObject({
    pattern: Query.refine((text) => text.length <= grepLimits.pattern, {
      error: `has more than ${grepLimits.pattern} characters`,
    }).refine((text) => !/[\r\n]/u.test(text), {
      error: 'has a line break; it is held against single lines: look for a part of one',
    }),
    regex: Flag.describe('`true`: the pattern is a regular expression of JavaScript'),
    ignore_case: Flag,
    source: z.enum(['memories', 'sessions']).default('memories'),
    namespace: NamespaceOrEvery.default('default'),
    key: Key.optional().describe('Only the memory of this key'),
    under: z
      .string()
      .max(700)
      .optional()
      .describe('Only memories whose path `/NAMESPACE/KEY` begins with this, letter by letter'),
    session: SessionId.optional().describe('Only this session'),
    entry: inQuery(z.int().min(1).optional()).describe('Only this entry of the session'),
    context: inQuery(z.int().min(0).max(grepLimits.context).default(0)).describe(
      'Lines that are answered before and after each',
    ),
    limit: inQuery(limitOf(grepLimits.lines, 50)),
  }),
  status: 200,
  response: z.object({
    lines: z.array(GrepLine),
    left_out: z
      .int()
      .describe(
        'Lines that fit and are not among them: newer ones are. Of sessions those of the texts that were shown',
      ),
    more: z.boolean().describe('Of sessions: the limit is reached, and older texts were not looked at'),
    looked_at: z.int().describe('Texts that were looked at: memories, or entries'),
    withheld: z
      .int()
      .describe(
        'Entries that are not looked through for secrets yet, and were not looked at: ask again in a while',
      ),
    stopped: z
      .boolean()
      .describe('True where the time was over before every text was looked at: ask for less'),
  }),
  problems: ['session_not_found'],
  costs: 'recall',
});
