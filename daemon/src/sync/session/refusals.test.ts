import type { ErrorIs } from '@reverie/shared/protocol/messages';
import { beforeEach, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import type { SyncedRow } from '../namespaces/namespaces.store.ts';
import { createRefusals, type Refusals } from './refusals.ts';

const row = { id: 1, name: 'team' } as SyncedRow;
const ahead: ErrorIs = {
  type: 'error',
  code: 'clock_ahead',
  detail: 'ahead',
  room: 'r',
  retryAfterMs: 0,
  entry: { incarnation: 'i', n: 7 },
};

let isThere: boolean;
let done: string[];
let refusals: Refusals;
beforeEach(() => {
  isThere = true;
  done = [];
  refusals = createRefusals({
    store: { read: () => (isThere ? { id: 3 } : undefined) } as never,
    log: createLog('silent'),
    time: { doubted: () => void done.push('doubted') } as never,
    replicas: { stampAnew: ({ sendId }: { sendId: number }) => void done.push(`stamped ${sendId}`) } as never,
  });
});

test('what is ahead is stamped anew and sent at once; where it is refused again, only after a while', () => {
  expect(refusals.refused(ahead, row)).toBe(0);
  expect(done).toEqual(['doubted', 'stamped 3']);
  // The relay's clock runs strangely: to send at once again and again would keep both busy for nothing.
  expect(refusals.refused(ahead, row)).toBe(5000);
  expect(refusals.refused(ahead, row)).toBe(5000);
  refusals.taken();
  expect(refusals.last()).toBeUndefined();
  expect(refusals.refused(ahead, row)).toBe(0);
});

test('what was made anew already with others is left to them', () => {
  isThere = false;
  expect(refusals.refused(ahead, row)).toBeUndefined();
  expect(done).toEqual([]);
});

test('every other refusal is tried again when the relay says, and not before five seconds', () => {
  const quota: ErrorIs = { type: 'error', code: 'quota', detail: 'full', room: 'r', retryAfterMs: 0 };
  expect(refusals.refused(quota, row)).toBe(5000);
  expect(refusals.refused({ ...quota, retryAfterMs: 60_000 }, row)).toBe(60_000);
  expect(refusals.refused(ahead, undefined)).toBe(5000);
  expect(refusals.last()).toEqual(ahead);
});
