import type { Strategy as StrategyId } from '@reverie/shared/contract/dream-strategies';
import { connect } from '../linked/connect.ts';
import { contradict } from '../disagreeing/contradict.ts';
import { forecast } from './forecast.ts';
import { pattern } from './pattern.ts';
import { refine } from '../twice/refine.ts';
import { reflect } from './reflect.ts';
import { rem } from '../linked/rem.ts';
import { sleep } from './sleep.ts';
import type { Strategy } from './strategy.ts';
import { summarize } from './summarize.ts';
import { synthesize } from './synthesize.ts';

/** What this Reverie can dream, by name; loaded in the thread that dreams only. */
const registry: Readonly<Record<StrategyId, Strategy>> = {
  refine,
  contradict,
  pattern,
  connect,
  summarize,
  synthesize,
  reflect,
  sleep,
  rem,
  forecast,
};

/** The code of a strategy; undefined for one that a later Reverie knew. */
export function findStrategy(name: string): Strategy | undefined {
  return Object.hasOwn(registry, name) ? registry[name as StrategyId] : undefined;
}
