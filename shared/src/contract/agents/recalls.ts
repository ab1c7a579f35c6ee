import { z } from 'zod';
import { DateTime, inQuery, limitOf, Namespace, NamespaceOrEvery, Query, Threshold } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'agents';

/** How memories came before an agent: it searched, asked or read, or a hook put them there. */
export const recallWays = ['search', 'ask', 'get', 'start', 'compact', 'prompt'] as const;
export const RecallWay = z.enum(recallWays);
export type RecallWay = z.infer<typeof RecallWay>;

/** What came of a recalled memory. */
export const verdicts = ['helped', 'misled'] as const;
export const Verdict = z.enum(verdicts);
export type Verdict = z.infer<typeof Verdict>;

const PLAIN = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const Agent = z
  .string()
  .min(1, 'must be 1 to 128 characters')
  .max(128, 'must be 1 to 128 characters')
  .regex(PLAIN, 'has a control character');
const Session = z
  .string()
  .min(1, 'must be 1 to 256 characters')
  .max(256, 'must be 1 to 256 characters')
  .regex(PLAIN, 'has a control character');
const RecallId = z.string().regex(/^rcl_[0-9a-z]{26}$/, 'must be the id of a recall');

export const Recall = z
  .object({
    id: z.string().describe('`rcl_` and a ULID'),
    at: DateTime,
    agent: z.string(),
    session: z.string().nullable(),
    way: RecallWay,
    namespace: z.string().describe('Where was looked; "*" for everywhere'),
    query: z
      .string()
      .nullable()
      .describe(
        'What was looked for; null where nothing was, and where it is not kept, for it seemed to hold a secret',
      ),
    tokens: z.int().describe('What was put before the agent, in bytes / 4'),
    shown: z.int().describe('Memories that were shown; those that are deleted since are counted, not listed'),
    memories: z.array(
      z
        .object({
          key: z.string(),
          namespace: z.string(),
          title: z.string(),
          reason: z.string(),
          score: z.number().nullable(),
          verdict: Verdict.nullable(),
        })
        .meta({ id: 'RecalledMemory' }),
    ),
  })
  .meta({ id: 'Recall' });
export type Recall = z.infer<typeof Recall>;

export const recordRecall = route({
  id: 'recall_record',
  method: 'POST',
  path: '/recalls',
  scope: 'read',
  reach: {
    can: ['read'],
    absent: ['body.namespace'],
    refused: ['body.memories[].namespace'],
    filtered: true,
  },
  tag,
  summary: 'Write down which memories were put before an agent',
  description:
    'A receipt. MCP tools and hooks write theirs by themselves; agents that use this API may write their own. It keeps which memories, never what they say; memories that are not there are left out. A query that seems to hold a password, key or token is not kept. Receipts are kept for `recalls.days` (90), judged ones until their memory is deleted.',
  body: z
    .strictObject({
      way: RecallWay,
      agent: Agent.optional().describe('By default the name of the key'),
      session: Session.optional(),
      namespace: NamespaceOrEvery,
      query: Query.optional(),
      tokens: z.int().min(0).max(10_000_000),
      memories: z
        .array(
          z.strictObject({
            key: z.string().min(1),
            namespace: Namespace,
            reason: z.string().min(1).max(128).regex(PLAIN, 'has a control character'),
            score: Threshold.nullable().default(null),
          }),
        )
        .min(1)
        .max(200),
    })
    .meta({ id: 'RecordRecall' }),
  status: 201,
  response: z.object({ id: z.string().nullable().describe('Null where receipts are not kept') }),
  problems: [],
});

export const listRecalls = route({
  id: 'recall_list',
  method: 'GET',
  path: '/recalls',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag,
  summary: 'Which memories were put before agents, and what came of it; the last first',
  query: z.strictObject({
    namespace: NamespaceOrEvery.optional().describe('Only where this one was looked into'),
    agent: Agent.optional(),
    session: Session.optional(),
    verdict: z
      .enum([...verdicts, 'none'])
      .optional()
      .describe('`none`: not judged yet'),
    limit: inQuery(limitOf(200, 50)),
    cursor: RecallId.optional().describe('The `next` of the page before'),
  }),
  status: 200,
  response: z.object({ recalls: z.array(Recall), next: z.string().nullable() }),
  problems: [],
});

export const judgeRecall = route({
  id: 'recall_verdict',
  method: 'POST',
  path: '/recalls/{id}/verdict',
  scope: 'read',
  reach: { can: ['read'], filtered: true },
  tag,
  summary: 'Say whether recalled memories helped or misled, or take that back',
  description:
    'With its query, a judged memory is a case of the personal regression set (`POST /recalls/eval`). The last verdict holds.',
  params: z.strictObject({ id: z.string().min(1).max(64) }),
  body: z
    .strictObject({
      verdict: Verdict.nullable().describe('Null takes it back'),
      key: z.string().min(1).optional().describe('Only this memory; all of the recall where omitted'),
    })
    .meta({ id: 'JudgeRecall' }),
  status: 200,
  response: Recall,
  problems: ['recall_not_found', 'memory_not_found'],
});

const Place = z.object({
  rank: z.int().nullable().describe('From 1; null where the memory is not among those looked at'),
  score: z.number().nullable(),
});

export const EvaluatedCase = z
  .object({
    recall: z.string(),
    query: z.string(),
    namespace: z.string(),
    key: z.string(),
    title: z.string(),
    way: RecallWay,
    verdict: Verdict,
    right: z
      .boolean()
      .describe('What helped would be shown again, or what misled would not, with the settings of now'),
    now: Place,
    before: Place.nullable().describe('In the evaluation before; null where it had no such case'),
  })
  .meta({ id: 'EvaluatedCase' });
export type EvaluatedCase = z.infer<typeof EvaluatedCase>;

export const Evaluation = z
  .object({
    id: z.string().describe('`evl_` and a ULID'),
    at: DateTime,
    cause: z
      .enum(['asked', 'changed'])
      .describe('Somebody asked for it, or the program or the model that makes the vectors was another one'),
    made_with: z.string().describe('The program and the model that makes the vectors'),
    cases: z.int(),
    right: z.int(),
    worse: z.array(EvaluatedCase).describe('Right the time before, wrong now'),
    better: z.array(EvaluatedCase).describe('Wrong the time before, right now'),
    wrong: z.array(EvaluatedCase).describe('All that are wrong now'),
  })
  .meta({ id: 'RecallEvaluation' });
export type Evaluation = z.infer<typeof Evaluation>;

export const evaluateRecalls = route({
  id: 'recall_eval',
  method: 'POST',
  weight: 'heavy',
  path: '/recalls/eval',
  scope: 'read',
  reach: { can: ['read'] },
  tag,
  summary: 'Look again for everything that was judged: is what helped still found, and what misled not?',
  description:
    'The personal regression set. It also runs by itself when the program or the model that makes the vectors is another one, and all vectors are there.',
  status: 200,
  response: Evaluation,
  problems: [],
});

export const lastEvaluation = route({
  id: 'recall_last_eval',
  method: 'GET',
  path: '/recalls/eval',
  scope: 'read',
  reach: { can: ['read'] },
  tag,
  summary: 'The last evaluation of what was judged, and how many cases there are now',
  status: 200,
  response: z.object({ cases: z.int(), last: Evaluation.nullable() }),
  problems: [],
});
