import {
  CONSOLIDATE,
  strategies as order,
  type Strategy,
  type StrategyName,
  strategySynonyms,
} from '@reverie/shared/contract/dreams/dream-strategies';

/** The strategies that a request names, synonyms resolved, each once, in the order in which they run. */
export function resolveStrategies(names: readonly StrategyName[] = [CONSOLIDATE]): Strategy[] {
  const wanted = new Set(names.flatMap((name) => (name === CONSOLIDATE ? order : [resolveStrategy(name)])));
  return order.filter((name) => wanted.has(name));
}

/** The strategy that a name means. */
export function resolveStrategy(name: Exclude<StrategyName, typeof CONSOLIDATE>): Strategy {
  return isSynonym(name) ? strategySynonyms[name] : name;
}

function isSynonym(name: string): name is keyof typeof strategySynonyms {
  return Object.hasOwn(strategySynonyms, name);
}
