import {
  CONSOLIDATE,
  strategies as order,
  type Strategy as StrategyId,
  type StrategyName,
  strategySynonyms,
} from '@reverie/shared/contract/dreams';
import { connect } from './connect.ts';
import { contradict } from './contradict.ts';
import { forecast } from './forecast.ts';
import { pattern } from './pattern.ts';
import { refine } from './refine.ts';
import { reflect } from './reflect.ts';
import { rem } from './rem.ts';
import { sleep } from './sleep.ts';
import type { Strategy } from './strategy.ts';
import { summarize } from './summarize.ts';
import { synthesize } from './synthesize.ts';

/** What this Reverie can dream, by name. */
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

/** The strategies that a request names, synonyms resolved, each once, in the order in which they run. */
export function resolveStrategies(names: readonly StrategyName[] = [CONSOLIDATE]): StrategyId[] {
  const wanted = new Set(names.flatMap((name) => (name === CONSOLIDATE ? order : [resolveStrategy(name)])));
  return order.filter((name) => wanted.has(name));
}

/** The strategy that a name means. */
export function resolveStrategy(name: Exclude<StrategyName, typeof CONSOLIDATE>): StrategyId {
  return name in strategySynonyms
    ? strategySynonyms[name as keyof typeof strategySynonyms]
    : (name as StrategyId);
}

/** The code of a strategy; undefined for one that a later Reverie knew. */
export function findStrategy(name: string): Strategy | undefined {
  return Object.hasOwn(registry, name) ? registry[name as StrategyId] : undefined;
}
