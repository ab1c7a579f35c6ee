import { z } from 'zod';
import { DateTime, DateTimeInput, inQuery, limitOf, Namespace, NamespaceOrDefault, Query } from './fields.ts';
import { Strategy, StrategyName } from './dream-strategies.ts';
import { route } from './route.ts';

export const dreamStates = ['queued', 'running', 'complete', 'failed'] as const;
export const DreamState = z.enum(dreamStates);
export type DreamState = z.infer<typeof DreamState>;

/** Why a dream failed. */
export const dreamErrors = ['cancelled', 'strategy_failed', 'worker_failed'] as const;

export const StrategyProgress = z.object({
  strategy: Strategy,
  state: z.enum(['waiting', 'running', 'complete']),
  done: z.int().describe('Steps done of `total`; what a step is differs between strategies'),
  total: z.int(),
  insights: z.int().describe('Insights emitted; proposals made before are not counted'),
  ms: z.int().describe('Time taken so far'),
  note: z
    .string()
    .optional()
    .describe(
      'In sentences: what it left and why, and what a language model read, found and judged, or why it did not; missing where there is nothing to say',
    ),
  left: z
    .int()
    .optional()
    .describe(
      'Pairs that look related and that only a language model could judge; missing where there are none',
    ),
  reading: z
    .object({
      read: z.int().describe('Readings of memories that are done, in this dream and before'),
      of: z.int().describe('Each memory is read once or several times, beside others each time'),
      tokens_left: z.int().describe('About so many the rest takes'),
    })
    .optional()
    .describe('How far a language model has read the namespace; missing where it reads nothing'),
});
export type StrategyProgress = z.infer<typeof StrategyProgress>;

/** How many memories of a namespace a language model reads, the newest ones: its budget would not reach much further anyway. */
export const mostRead = 4_000;

export const DreamJob = z
  .object({
    id: z.string().describe('`dream_` and a ULID'),
    status: DreamState,
    stages: z.int().describe('Strategies that finished'),
    insights: z.int().describe('Insights emitted'),
    started_at: DateTime.nullable().describe('Null while it is queued'),
    completed_at: DateTime.nullable().describe('When it was complete or failed'),
    namespace: z.string(),
    created_at: DateTime,
    task: z.string().nullable(),
    trigger: z.enum(['request', 'schedule']),
    strategies: z.array(StrategyProgress),
    memories: z.int().describe('Memories that it looked at; 0 before it runs'),
    sampled: z
      .object({ of: z.int(), taken: z.int() })
      .nullable()
      .describe('Set where the namespace was too large to look at all of it'),
    tokens: z
      .object({ used: z.int(), budget: z.int() })
      .describe('Of the language model; nothing is used where none is configured'),
    reading: z
      .object({
        share: z
          .number()
          .describe(
            'From 0 to 1: the part of the namespace, or of its newest 4,000 memories, that the language model has read',
          ),
        dreams_left: z.int().describe('About so many more dreams with this budget read the rest'),
      })
      .nullable()
      .describe('Null where a language model has read nothing, or may not'),
    left: z
      .object({ pairs: z.int(), message: z.string().describe('What is left, and the one step to it') })
      .optional()
      .describe('What a dream without a language model left; missing where that is nothing'),
    winner: z.string().nullable().describe('The insight that won the tournament'),
    error: z.object({ code: z.enum(dreamErrors), message: z.string() }).nullable(),
  })
  .meta({ id: 'DreamJob' });
export type DreamJob = z.infer<typeof DreamJob>;

const Side = z.object({
  key: z.string(),
  date: DateTime.describe('The day that the text names for what it says, else when it was written'),
});

/** What accepting an insight does to memories; an insight without one is kept as a memory of its own. */
export const InsightChange = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('merge'),
      keep: z.string(),
      hide: z.array(z.string()).describe('Hidden behind `keep`; nothing is deleted'),
    }),
    z.object({ kind: z.literal('archive'), keys: z.array(z.string()) }),
    z.object({ kind: z.literal('update'), key: z.string(), value: z.string() }),
    z.object({ kind: z.literal('link'), from: z.string(), to: z.string() }),
    z
      .object({ kind: z.literal('disagree'), older: Side, newer: Side })
      .describe('The one that is not kept is hidden with `superseded_by`; nothing is deleted'),
  ])
  .meta({ id: 'InsightChange' });
export type InsightChange = z.infer<typeof InsightChange>;

/** Which of two memories that disagree is kept. */
export const resolutions = ['newer', 'older', 'both'] as const;
export const Resolution = z.enum(resolutions);
export type Resolution = z.infer<typeof Resolution>;

export const insightStates = ['proposed', 'accepted', 'rejected'] as const;
export const InsightState = z.enum(insightStates);
export type InsightState = z.infer<typeof InsightState>;

export const Insight = z
  .object({
    id: z.string().describe('`ins_` and a ULID'),
    namespace: z.string(),
    job_id: z.string(),
    strategy: Strategy,
    heading: z.string().describe('The kind in words, such as `These two disagree`'),
    title: z.string(),
    body: z.string(),
    evidence: z.array(z.string()).describe('Keys of the memories that it rests on'),
    sources: z
      .array(z.object({ key: z.string(), sentence: z.string() }))
      .describe('What those memories say, word for word'),
    confidence: z.number().min(0).max(1),
    score: z.number().min(0).max(1).describe('Strength in the tournament of its job'),
    winner: z.boolean(),
    status: InsightState,
    change: InsightChange.nullable().describe('What accepting does; null where it is kept as a memory'),
    resolution: Resolution.nullable().describe(
      'Which of two that disagree was kept; null before, and for others',
    ),
    due_on: z.iso.date().nullable().describe('The day (`2026-12-03`) of what comes up; null for others'),
    stale: z
      .array(z.string())
      .describe('Keys of sources that were deleted or overwritten since it was accepted'),
    created_at: DateTime,
    decided_at: DateTime.nullable(),
  })
  .meta({ id: 'Insight' });
export type Insight = z.infer<typeof Insight>;

const tag = 'dreams';
const Id = z.strictObject({ id: z.string().min(1).max(64) });

export const startDream = route({
  id: 'dream_start',
  method: 'POST',
  path: '/memory/dream/start',
  scope: 'write',
  reach: { can: ['set'], refused: ['body.namespace'] },
  tag,
  summary: 'Start a dream: a job that looks through a namespace and proposes insights',
  description:
    'A dream changes nothing: it proposes, and a person or a policy accepts. One job runs at a time; the others wait in turn. Without `strategies` all of them run.',
  body: z
    .strictObject({
      namespace: NamespaceOrDefault,
      strategies: z.array(StrategyName).min(1).max(50).optional(),
      task: Query.optional().describe('A question that `reflect` answers from the namespace'),
      now: DateTimeInput.optional().describe('Dream as if it were this time; only with an owner key'),
    })
    .meta({ id: 'StartDream' }),
  status: 202,
  response: z.object({ id: z.string(), status: DreamState }),
  problems: ['conflict', 'quota_exceeded', 'storage_exceeded'],
  idempotent: true,
});

export const dreamStatus = route({
  id: 'dream_status',
  method: 'GET',
  path: '/memory/dream/status/{id}',
  scope: 'read',
  reach: { can: ['read'], absent: ['dream'] },
  tag,
  summary: 'How far a dream is',
  params: Id,
  status: 200,
  response: DreamJob,
  problems: ['dream_not_found'],
});

export const listDreams = route({
  id: 'dream_jobs',
  method: 'GET',
  path: '/memory/dream/jobs',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag,
  summary: 'Dreams, newest first',
  query: z.strictObject({
    namespace: Namespace.optional(),
    status: DreamState.optional(),
    limit: inQuery(limitOf(200, 50)),
    cursor: z.string().min(1).max(64).optional().describe('The `next` of a page before'),
  }),
  status: 200,
  response: z.object({ jobs: z.array(DreamJob), next: z.string().nullable() }),
  problems: [],
});

export const cancelDream = route({
  id: 'dream_cancel',
  method: 'POST',
  path: '/memory/dream/{id}/cancel',
  scope: 'write',
  reach: { can: ['read', 'set'], absent: ['dream'] },
  tag,
  summary: 'End a dream; it is then `failed` with the code `cancelled`, and keeps what it proposed',
  params: Id,
  status: 200,
  response: DreamJob,
  problems: ['dream_not_found', 'conflict'],
});

export const listInsights = route({
  id: 'dream_insights',
  method: 'GET',
  weight: 'heavy',
  path: '/memory/dream/insights',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag,
  summary: 'What dreams proposed',
  query: z.strictObject({
    namespace: Namespace.optional(),
    status: InsightState.optional(),
    job: z.string().min(1).max(64).optional(),
    strategy: StrategyName.optional(),
    order: z
      .enum(['newest', 'best', 'kind'])
      .default('newest')
      .describe(
        '`best`: strongest first; `kind`: what comes up, soonest first, then what disagrees, stands twice, keeps happening, belongs together, and the rest',
      ),
    limit: inQuery(limitOf(200, 50)),
    cursor: z.string().min(1).max(100).optional().describe('The `next` of a page before, of the same order'),
  }),
  status: 200,
  response: z.object({ insights: z.array(Insight), next: z.string().nullable() }),
  problems: [],
});

export const getInsight = route({
  id: 'dream_insight',
  method: 'GET',
  path: '/memory/dream/insights/{id}',
  scope: 'read',
  reach: { can: ['read'], absent: ['insight'] },
  tag,
  summary: 'One insight',
  params: Id,
  status: 200,
  response: Insight,
  problems: ['insight_not_found'],
});

const decision = {
  method: 'POST',
  scope: 'write',
  // Accepting may hide a memory, and undoing deletes the one that was made of the insight.
  reach: { can: ['read', 'set', 'delete'], absent: ['insight'] },
  tag,
  params: Id,
  status: 200,
  response: Insight,
  problems: ['insight_not_found', 'conflict'],
} as const;

export const acceptInsight = route({
  ...decision,
  id: 'dream_insight_accept',
  path: '/memory/dream/insights/{id}/accept',
  summary:
    'Carry out what an insight proposes; one that changes no memory is kept as the memory `dream:<id>`',
  description:
    'Of two memories that disagree the newer one is kept, unless `resolution` says otherwise; the other is hidden, and `both` hides none. Refused with 409 where what it rests on is not as it was. Accepting it again changes nothing.',
  body: z
    .strictObject({
      resolution: Resolution.optional().describe('Only where memories disagree; `newer` without it'),
    })
    .meta({ id: 'AcceptInsight' }),
});

export const rejectInsight = route({
  ...decision,
  id: 'dream_insight_reject',
  path: '/memory/dream/insights/{id}/reject',
  summary: 'Refuse an insight; it is never proposed again',
});

export const undoInsight = route({
  ...decision,
  id: 'dream_insight_undo',
  path: '/memory/dream/insights/{id}/undo',
  summary: 'Take back an acceptance or a refusal; every memory is again as it was, byte for byte',
  description: 'Refused with 409 where what was changed was changed again since.',
});

export const dreamHealth = route({
  id: 'dream_health',
  method: 'GET',
  weight: 'heavy',
  path: '/memory/dream/health',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'] },
  tag,
  summary: 'How tidy a namespace is, by what dreams proposed and what was never recalled',
  query: z.strictObject({ namespace: NamespaceOrDefault }),
  status: 200,
  response: z.object({
    namespace: z.string(),
    memories: z.int(),
    merged: z.int().describe('Hidden behind another memory'),
    archived: z.int(),
    superseded: z.int().describe('Hidden because the other one of two that disagree was kept'),
    never_recalled: z.int().describe('Not answered by get, search or ask in the last 180 days'),
    stale: z.int().describe('Accepted insights whose sources have changed since'),
    open: z
      .array(z.object({ strategy: Strategy, insights: z.int() }))
      .describe('Insights that nobody decided on yet'),
    last_dream_at: DateTime.nullable(),
  }),
  problems: [],
});
