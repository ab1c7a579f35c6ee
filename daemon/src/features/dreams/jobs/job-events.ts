import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { NewEvent } from '../../../db/change.ts';
import { countInsights, countStages, type JobState, progressOf } from './job-state.ts';
import type { Job } from './jobs.store.ts';

type Kind = 'dream.started' | 'dream.step' | 'dream.winner' | 'dream.completed' | 'dream.failed';

/** An event about a dream: how far it is, and what is new. */
export function dreamEvent(
  type: Kind,
  { job, state, more = {} }: { job: Job; state: JobState; more?: JsonObject },
): NewEvent {
  return {
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
  };
}

/** What a step tells of its strategy. */
export function stepOf(state: JobState, name: Strategy): JsonObject {
  const found = state.strategies.find(({ strategy }) => strategy === name);
  return { step: { ...(found && progressOf(found)) } };
}
