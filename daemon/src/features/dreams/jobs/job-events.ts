import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { NewEvent } from '../../../db/change.ts';
import { countInsights, countStages, type JobEvent, type JobState, progressOf } from './job-state.ts';
import type { Job } from './jobs.store.ts';

interface Dream {
  readonly job: Job;
  /** After what happened. */
  readonly state: JobState;
}

/** What others are told of a dream when something happens to it: how far it is, and what is new. */
export function dreamEvents(event: JobEvent, { job, state }: Dream): NewEvent[] {
  const told = (type: NewEvent['type'], more: JsonObject): NewEvent => ({
    account: job.account,
    actor: { kind: 'job', id: job.id },
    origin: 'local',
    type,
    namespace: job.namespace,
    key: null,
    before: null,
    after: {
      id: job.id,
      status: state.status,
      stages: countStages(state),
      insights: countInsights(state),
      ...more,
    },
  });
  switch (event.kind) {
    case 'started': {
      const strategies = state.strategies.map(({ strategy }) => strategy);
      return [told('dream.started', { strategies, resumed: event.isResumed ?? false })];
    }
    case 'stepped':
    case 'finished':
      return [told('dream.step', { step: stepOf(state, event.strategy) })];
    case 'completed':
    case 'failed': {
      const { winner = null } = event;
      return [
        ...(winner ? [told('dream.winner', { winner: { ...winner } })] : []),
        event.kind === 'failed'
          ? told('dream.failed', { error: event.error })
          : told('dream.completed', { winner: winner?.id ?? null }),
      ];
    }
    case 'viewed':
    case 'proposed':
    case 'read':
    case 'spent':
    case 'interrupted':
      return [];
  }
}

function stepOf(state: JobState, name: Strategy): JsonObject {
  const found = state.strategies.find(({ strategy }) => strategy === name);
  return { ...(found && progressOf(found)) };
}
