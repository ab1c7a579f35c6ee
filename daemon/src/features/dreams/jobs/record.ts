import type { Store, WriteDb } from '../../../db/open-store.ts';
import type { InsightDeps } from '../deps.ts';
import { dreamEvents } from './job-events.ts';
import { type JobEvent, type JobState, nextState } from './job-state.ts';
import { type Job, saveJob } from './jobs.store.ts';

/** A running dream, and what is written down of it. */
export interface DreamRecord {
  readonly job: Job;
  state(): JobState;
  /** Writes down what happened and tells of it, in the transaction that is under way where there is one; it counts once it is on disk. */
  write(events: readonly JobEvent[], db?: WriteDb): void;
}

interface RecordDeps {
  store: Store;
  insights: Pick<InsightDeps, 'record'>;
}

export function openRecord({ store, insights }: RecordDeps, job: Job): DreamRecord {
  let state = job.state;
  function save(db: WriteDb, events: readonly JobEvent[]): void {
    let next = state;
    const told = events.flatMap((event) => {
      next = nextState(next, event);
      return dreamEvents(event, { job, state: next });
    });
    if (saveJob(db, { ...job, state: next })) for (const event of told) insights.record(db, event);
    // A write that fails leaves both as they were.
    db.afterCommit(() => (state = next));
  }
  return {
    job,
    state: () => state,
    write(events, db) {
      if (db) save(db, events);
      else store.write((own) => save(own, events));
    },
  };
}
