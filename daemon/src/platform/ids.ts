import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** Asking the system for four bytes costs as much as for many, and a ULID asks sixteen times. */
const pool = new Uint32Array(1024);
let left = 0;

function random(): number {
  if (left === 0) {
    randomFillSync(pool);
    left = pool.length;
  }
  left -= 1;
  const value = (pool[left] ?? 0) / 2 ** 32;
  pool[left] = 0;
  return value;
}

let next = monotonicFactory(random);

/** A ULID in lower case: sorts by time of making, and strictly so within this process. */
export function newUlid(now: number): string {
  return next(now).toLowerCase();
}

/** Forgets the ULID that was made last, as a new process does. @internal The clock of a test may be behind that of the test before. */
export function forgetUlids(): void {
  next = monotonicFactory(random);
}
