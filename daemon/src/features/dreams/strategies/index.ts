import type { Strategy as StrategyId } from '@reverie/shared/contract/dream-strategies';
import { comingUp } from '../coming-up/coming-up.ts';
import { reflect, sleep, summarize, synthesize } from '../digests/digests.ts';
import { contradict } from '../disagreeing/contradict.ts';
import { connect } from '../linked/connect.ts';
import { rem } from '../linked/rem.ts';
import { recurring } from '../recurring/recurring.ts';
import { refine } from '../twice/refine.ts';
import type { Strategy } from './strategy.ts';

/** What this Reverie can dream, by name; loaded in the thread that dreams only. */
const registry: Readonly<Record<StrategyId, Strategy>> = {
  refine,
  contradict,
  pattern: recurring,
  connect,
  summarize,
  synthesize,
  reflect,
  sleep,
  rem,
  forecast: comingUp,
};

const byName = new Map<string, Strategy>(Object.entries(registry));

/** The code of a strategy; undefined for one that a later Reverie knew. */
export function findStrategy(name: string): Strategy | undefined {
  return byName.get(name);
}
