import { createHash } from 'node:crypto';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import { dropFingerprint, hasFingerprint, takeFingerprint } from '../insights/fingerprints.store.ts';
import type { JobState } from './job-state.ts';
import type { Job } from './jobs.store.ts';

type Place = Pick<Job, 'account' | 'namespace'>;

/** Writes down what a model has judged, so that it is not asked again. */
export function keepMarks(db: WriteDb, place: Place, marks: readonly string[]): void {
  for (const mark of marks) takeFingerprint(db, place, Buffer.from(mark, 'hex'));
}

/**
 * For a dream that ends early: forgets that the memories of its findings were read where nothing was proposed of them, so that the next
 * dream reads them again.
 */
export function forgetUnproposed(db: WriteDb, place: Place, { strategies }: JobState): void {
  for (const { answered } of strategies)
    for (const { marks = [] } of answered?.found ?? [])
      for (const mark of marks) dropFingerprint(db, place, Buffer.from(mark, 'hex'));
}

/**
 * Marks that a dream is under way in a namespace; false where it was marked already. Clearing the namespace takes the mark with
 * it, which tells the dream that its answers are about memories that are gone.
 */
export function markUnderWay(db: WriteDb, job: Pick<Job, 'id' | 'account' | 'namespace'>): boolean {
  return takeFingerprint(db, job, underWay(job));
}

/** Whether the namespace was not cleared since the dream began. */
export function isUnderWay(db: ReadDb, job: Pick<Job, 'id' | 'account' | 'namespace'>): boolean {
  return hasFingerprint(db, job, underWay(job));
}

/** Takes the mark away again: the dream is over. */
export function unmarkUnderWay(db: WriteDb, job: Pick<Job, 'id' | 'account' | 'namespace'>): void {
  dropFingerprint(db, job, underWay(job));
}

function underWay({ id }: Pick<Job, 'id'>): Buffer {
  return createHash('sha256').update(`under way ${id}`).digest();
}
