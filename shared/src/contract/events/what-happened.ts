import { Author } from '../author.ts';
import { agentTitle } from '../sessions/coding-agents.ts';
import { Strategy } from '../dreams/dream-strategies.ts';
import type { Event } from './events.ts';
import { z } from 'zod';

/** What is done to memories, in the order in which it is told. */
export const memoryActs = [
  'wrote',
  'changed',
  'renamed',
  'moved',
  'merged',
  'archived',
  'set aside',
  'showed',
  'took back',
  'trashed',
  'lost',
  'deleted',
] as const;
export type MemoryAct = (typeof memoryActs)[number];

/** What an event tells, without what a memory said: a deletion takes that back. */
export type What =
  | { kind: 'memory'; act: MemoryAct; into: string | undefined; loser?: Author | undefined }
  | { kind: 'cleared'; count: number }
  | { kind: 'dream'; stage: DreamStage }
  | { kind: 'insight'; decision: 'proposed' | 'accepted' | 'rejected' | 'withdrawn'; strategy: Kind }
  | { kind: 'message'; from: string; about: string; isReply: boolean }
  | { kind: 'webhook'; host: string; isGone: boolean }
  | { kind: 'published'; channel: string }
  | { kind: 'followed'; topics: readonly string[] }
  | { kind: 'session'; agent: string; entries: number };

type Kind = Strategy | undefined;

export type DreamStage =
  | { at: 'started' }
  | { at: 'step'; strategy: Kind; isDone: boolean; found: number }
  | { at: 'found'; strategy: Kind }
  | { at: 'winner' }
  | { at: 'completed'; found: number }
  | { at: 'failed'; error: string };

type State = Event['data']['before'];

// What older programs wrote may lack any of these; a sentence is made of what is there.
const Memory = z.object({
  key: z.string().optional().catch(undefined),
  namespace: z.string().optional().catch(undefined),
  trashed_at: z.string().optional().catch(undefined),
  archived_at: z.string().optional().catch(undefined),
  superseded_by: z.string().optional().catch(undefined),
  merged_into: z.string().optional().catch(undefined),
  author: Author.optional().catch(undefined),
});
const Count = z.int().min(0).catch(0);
const Dream = z.object({
  insights: Count,
  error: z.string().catch(''),
  strategy: Strategy.optional().catch(undefined),
  step: z
    .object({ strategy: Strategy.optional().catch(undefined), state: z.string().catch(''), insights: Count })
    .optional()
    .catch(undefined),
});
const Insight = z.object({ strategy: Strategy.optional().catch(undefined), status: z.string().catch('') });
const Channel = z.object({
  channel: z.string().catch(''),
  topics: z.array(z.string()).catch([]),
  payload: z.object({ host: z.string(), reason: z.string().nullable() }).optional().catch(undefined),
});
const Session = z.object({ agent: z.string().catch('A coding agent'), entries: Count });
const Message = z.object({
  from: z.string().catch('Somebody'),
  kind: z.string().catch(''),
  in_reply_to: z.string().optional().catch(undefined),
});

/** What an event tells. */
export function whatOf({ type, data, actor }: Event): What {
  const after = data.after ?? {};
  switch (type) {
    case 'memory.write':
    case 'memory.update':
    case 'memory.merge':
    case 'memory.delete':
      return { kind: 'memory', ...actOf(type, data) };
    case 'memory.clear':
      return { kind: 'cleared', count: Count.parse(data.before?.['count']) };
    case 'dream.started':
      return { kind: 'dream', stage: { at: 'started' } };
    case 'dream.step': {
      const { step } = Dream.parse(after);
      const stage = { strategy: step?.strategy, isDone: step?.state === 'complete', found: step?.insights };
      return { kind: 'dream', stage: { at: 'step', ...stage, found: stage.found ?? 0 } };
    }
    case 'dream.insight':
      return { kind: 'dream', stage: { at: 'found', strategy: Insight.parse(after).strategy } };
    case 'dream.winner':
      return { kind: 'dream', stage: { at: 'winner' } };
    case 'dream.completed':
      return { kind: 'dream', stage: { at: 'completed', found: Dream.parse(after).insights } };
    case 'dream.failed':
      return { kind: 'dream', stage: { at: 'failed', error: Dream.parse(after).error } };
    case 'insight.generated':
      return { kind: 'insight', decision: 'proposed', strategy: Insight.parse(after).strategy };
    case 'insight.accepted':
      return { kind: 'insight', decision: 'accepted', strategy: Insight.parse(after).strategy };
    case 'insight.rejected': {
      const { strategy, status } = Insight.parse(after);
      return { kind: 'insight', decision: status === 'retracted' ? 'withdrawn' : 'rejected', strategy };
    }
    case 'channel.publish': {
      const { channel, payload } = Channel.parse(after);
      // The daemon's own channel, on which it tells that it turned one off.
      if (channel === 'webhooks' && actor.kind === 'system' && payload)
        return { kind: 'webhook', host: payload.host, isGone: payload.reason === 'gone' };
      return { kind: 'published', channel };
    }
    case 'channel.subscribe':
      return { kind: 'followed', topics: Channel.parse(after).topics };
    case 'channel.message': {
      const { from, kind: about, in_reply_to } = Message.parse(after);
      return { kind: 'message', from: agentTitle(from), about, isReply: in_reply_to !== undefined };
    }
    case 'session.entry': {
      const { agent, entries } = Session.parse(after);
      return { kind: 'session', agent: agentTitle(agent), entries };
    }
  }
}

function actOf(
  type: 'memory.write' | 'memory.update' | 'memory.merge' | 'memory.delete',
  data: Event['data'],
): Omit<Extract<What, { kind: 'memory' }>, 'kind'> {
  const [before, after] = [stateOf(data.before), stateOf(data.after)];
  switch (type) {
    case 'memory.write':
      return { act: 'wrote', into: undefined };
    case 'memory.delete':
      return { act: 'deleted', into: undefined };
    case 'memory.merge':
      // A version of another device that lost is told of by the same kind.
      return after.merged_into === undefined
        ? { act: 'lost', into: undefined, loser: before.author }
        : { act: 'merged', into: after.merged_into };
    case 'memory.update':
      return changeOf(before, after);
  }
}

type Known = z.infer<typeof Memory>;

function changeOf(before: Known, after: Known): { act: MemoryAct; into: string | undefined } {
  const act = (name: MemoryAct, into?: string) => ({ act: name, into });
  if (after.trashed_at !== undefined) return act('trashed');
  if (before.trashed_at !== undefined) return act('took back');
  if (after.archived_at !== undefined && before.archived_at === undefined) return act('archived');
  if (after.superseded_by !== undefined && before.superseded_by === undefined)
    return act('set aside', after.superseded_by);
  const isHidden = (state: Known) =>
    (state.archived_at ?? state.superseded_by ?? state.merged_into) !== undefined;
  if (isHidden(before) && !isHidden(after)) return act('showed');
  if (before.namespace !== after.namespace && before.namespace !== undefined && after.namespace !== undefined)
    return act('moved', after.namespace);
  if (before.key !== after.key && before.key !== undefined && after.key !== undefined)
    return act('renamed', after.key);
  return act('changed');
}

function stateOf(state: State): Known {
  return Memory.parse(state ?? {});
}
