import type { WriteDb } from '../../db/open-store.ts';
import { dropFingerprint, takeFingerprint } from './insights.store.ts';
import type { JobState } from './job-state.ts';
import type { Job } from './jobs.store.ts';

type Place = Pick<Job, 'account' | 'namespace'>;

/** Writes down what a model has judged, so that it is not asked again. */
export function keepMarks(db: WriteDb, place: Place, marks: readonly string[]): void {
  for (const mark of marks) takeFingerprint(db, { ...place, fingerprint: Buffer.from(mark, 'hex') });
}

/** Forgets that memories were read of which a dream that ends early has found something and proposed nothing: the next one reads them again. */
export function forgetUnproposed(db: WriteDb, place: Place, { strategies }: JobState): void {
  for (const { answered } of strategies)
    for (const { marks = [] } of answered?.found ?? [])
      for (const mark of marks) dropFingerprint(db, { ...place, fingerprint: Buffer.from(mark, 'hex') });
}
