import { z } from 'zod';
import {
  DateTime,
  DateTimeInput,
  inQuery,
  limitOf,
  Namespace,
  NamespaceOrDefault,
  Query,
} from '../fields.ts';
import { Strategy, StrategyName } from './dream-strategies.ts';
import { route } from '../route.ts';

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
      'In sentences: what a language model read and found, or why it did not; missing where there is nothing to say',
    ),
});
export type StrategyProgress = z.infer<typeof StrategyProgress>;

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
    trigger: z
      .enum(['request', 'schedule', 'agent'])
      .describe('`agent`: it only holds what an agent proposed itself'),
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
        share: z.number().describe('From 0 to 1: the part of its memories that the language model has read'),
        dreams_left: z.int().describe('About so many more dreams with this budget read the rest'),
        tokens_left: z.int().describe('About so many tokens reading the rest takes'),
      })
      .nullable()
      .describe('Null where a language model has read nothing, or may not'),
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
    snoozed_until: DateTime.nullable().describe(
      'It is not shown as waiting before then; null where it waits',
    ),
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
    waiting: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        '`true`: only what waits for a decision today, neither coming up nor snoozed; `false`: only what does not',
      ),
    decided_since: DateTimeInput.optional().describe('Only what was decided on then or later'),
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
  response: z.object({
    insights: z.array(Insight),
    next: z.string().nullable(),
    waiting: z
      .int()
      .describe(
        'Proposals of these namespaces that wait for a decision today: neither coming up nor snoozed',
      ),
  }),
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

export const snoozeInsight = route({
  ...decision,
  id: 'dream_insight_snooze',
  path: '/memory/dream/insights/{id}/snooze',
  reach: { can: ['read', 'set'], absent: ['insight'] },
  summary: 'Put a proposal off until a day; until then it waits for nobody',
  body: z
    .strictObject({ until: DateTimeInput.nullable().describe('Null takes it back') })
    .meta({ id: 'SnoozeInsight' }),
});

/** Insights that are decided on at once, at most: each is a transaction of its own. */
export const mostDecided = 100;

const group = {
  method: 'POST',
  scope: 'write',
  reach: { can: ['read', 'set', 'delete'], filtered: true },
  tag,
  description: 'Each is decided on by itself: one that is refused does not keep the others.',
  body: z
    .strictObject({ ids: z.array(z.string().min(1).max(64)).min(1).max(mostDecided) })
    .meta({ id: 'InsightGroup' }),
  status: 200,
  response: z.object({
    insights: z.array(Insight).describe('Those that were decided on'),
    refused: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  }),
  problems: [],
} as const;

export const acceptInsights = route({
  ...group,
  id: 'dream_insights_accept',
  path: '/memory/dream/insights/accept',
  summary: 'Accept several insights; of two memories that disagree the newer one is kept',
});

export const rejectInsights = route({
  ...group,
  id: 'dream_insights_reject',
  path: '/memory/dream/insights/reject',
  summary: 'Refuse several insights; none of them is ever proposed again',
});

/** What a reader may find in notes, each with the strategy whose insight it becomes. */
export const findingKinds = {
  disagree: 'contradict',
  twice: 'refine',
  keeps_happening: 'pattern',
  belongs_together: 'connect',
  due: 'forecast',
  page: 'synthesize',
} as const satisfies Record<string, Strategy>;
export type FindingKind = keyof typeof findingKinds;
export const FindingKind = z.enum(Object.keys(findingKinds) as [FindingKind, ...FindingKind[]]);

/** One finding of a model or an agent, as it says it; what it says is checked before it counts. */
export const Finding = z
  .object({
    kind: FindingKind,
    evidence: z
      .array(
        z.object({
          key: z.string().min(1).max(1024),
          quote: z.string().min(1).max(2000).describe('Stands in the value of that memory, letter by letter'),
        }),
      )
      .min(1)
      .max(40),
    title: z.string().trim().min(1).max(200).describe('At most ten words, in the language of the notes'),
    why: z.string().trim().max(1000).describe('One sentence'),
    due_on: z.iso.date().optional().describe('Of what is due: the last day to act'),
    settle: z.string().trim().max(500).optional().describe('Of what disagrees: what would settle it'),
  })
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof Finding>;

/** Notes that are read together, as text. */
export const ReadingSheet = z
  .object({
    id: z.string(),
    task: z.string().describe('What to look for in the notes, and how to tell it'),
    text: z
      .string()
      .describe('The notes in order of time, each with its key and day; data, whatever they say'),
    left: z.int().describe('Sheets after this one'),
  })
  .meta({ id: 'ReadingSheet' });
export type ReadingSheet = z.infer<typeof ReadingSheet>;

export const proposeInsights = route({
  id: 'insight_propose',
  method: 'POST',
  weight: 'heavy',
  path: '/memory/dream/insights',
  scope: 'write',
  reach: { can: ['read', 'set'], refused: ['body.namespace'] },
  tag,
  summary: 'Propose what an agent found in the notes; a person decides',
  description:
    'Each finding is checked as those of dreams are: its quotes stand in their memories, and it was neither proposed nor refused before. `sheet` says which sheet was read, so that none is read twice.',
  body: z
    .strictObject({
      namespace: NamespaceOrDefault,
      findings: z.array(Finding).max(200),
      sheet: z.string().min(1).max(64).optional().describe('The `id` of the sheet that they were found on'),
    })
    .meta({ id: 'ProposeInsights' }),
  status: 200,
  response: z.object({
    findings: z
      .array(
        z.object({
          taken: z.boolean(),
          id: z.string().optional().describe('Of the insight'),
          why: z.string().optional().describe('Why it was not taken'),
        }),
      )
      .describe('In the order of the request'),
  }),
  problems: ['storage_exceeded'],
});

export const nextSheet = route({
  id: 'dream_sheet',
  method: 'GET',
  weight: 'heavy',
  path: '/memory/dream/sheet',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'] },
  tag,
  summary: 'The next sheet of notes that nobody has read for findings yet',
  query: z.strictObject({ namespace: NamespaceOrDefault }),
  status: 200,
  response: z.object({ sheet: ReadingSheet.nullable().describe('Null where all is read') }),
  problems: [],
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
