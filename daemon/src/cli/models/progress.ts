import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Client } from '@reverie/shared/client';
import { type ModelPull, modelsState } from '@reverie/shared/contract/system/models';
import type { Received } from '@reverie/shared/contract/route';
import { onInterrupt } from '../interrupted.ts';
import { size } from '../print.ts';
import { showProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

/** Between two looks, in ms. */
const LOOK_EVERY = 300;

export interface FollowedWork<T> {
  what: string;
  /** What is followed, of the state of all models. */
  of: (state: Received<typeof modelsState>) => T | null;
  /** How far it is, from 0 to 1, and what it is at. */
  far: (now: T) => { share: number; about: string };
  /** Has it stopped; Ctrl-C does. */
  stop: () => Promise<T>;
}

/** Shows how far something is until it is over, or until Ctrl-C stops it; answers how it ended. */
export async function follow<T extends { status: string }>(
  terminal: Terminal,
  client: Client,
  { what, of, far, stop }: FollowedWork<T>,
): Promise<T | null> {
  const shown = showProgress(terminal, what, 1000);
  const interrupt = onInterrupt();
  try {
    for (;;) {
      const now = of(await client(modelsState, {}));
      if (now?.status !== 'running') return now;
      const { share, about } = far(now);
      shown.update(Math.floor(1000 * share), about);
      await pause(LOOK_EVERY, undefined, { signal: interrupt.signal }).catch(() => undefined);
      if (interrupt.signal.aborted) return await stopped(stop, async () => of(await client(modelsState, {})));
    }
  } finally {
    interrupt.stop();
    shown.stop();
  }
}

/** What was stopped; it may have ended by itself in the same moment, and then it is looked at once more. */
async function stopped<T>(stop: () => Promise<T>, look: () => Promise<T | null>): Promise<T | null> {
  try {
    return await stop();
  } catch (cause) {
    if (cause instanceof ApiError && cause.code === 'conflict') return look();
    throw cause;
  }
}

/** How far a pull is, such as `45 % (1.4 GiB of 3.2 GiB)`. */
export function percentOf({ bytes_done: done, bytes_total: total }: ModelPull): string {
  if (total === null || total === 0) return size(done);
  return `${Math.floor((100 * done) / total)} % (${size(done)} of ${size(total)})`;
}
