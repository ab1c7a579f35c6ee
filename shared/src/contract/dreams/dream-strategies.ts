import { z } from 'zod';

/** What a dream can do, in the order in which it is done. */
export const strategies = [
  'refine',
  'contradict',
  'pattern',
  'connect',
  'summarize',
  'synthesize',
  'reflect',
  'sleep',
  'rem',
  'forecast',
] as const;
export const Strategy = z.enum(strategies).meta({ id: 'Strategy' });
export type Strategy = z.infer<typeof Strategy>;

/** Names that run the same code as another one. */
export const strategySynonyms = {
  pattern_extract: 'pattern',
  associate: 'connect',
  validate: 'contradict',
  evolve: 'refine',
  compress: 'summarize',
  insight_generate: 'reflect',
} as const satisfies Record<string, Strategy>;

/** Runs all strategies; what is done where none is named. */
export const CONSOLIDATE = 'consolidate';

const strategyNames = [
  ...strategies,
  ...(Object.keys(strategySynonyms) as (keyof typeof strategySynonyms)[]),
  CONSOLIDATE,
] as const;
/** A strategy, a synonym of one, or `consolidate`. */
export const StrategyName = z.enum(strategyNames, {
  error: (issue) => `${JSON.stringify(issue.input)} is no strategy; there are: ${strategyNames.join(', ')}`,
});
export type StrategyName = z.infer<typeof StrategyName>;
