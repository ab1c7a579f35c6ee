import { findingKinds, type FindingKind } from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';

/** Strategies that look for what another one looks for, too. */
const ALSO: Partial<Record<FindingKind, Strategy>> = { belongs_together: 'rem', page: 'summarize' };

/** The kinds of findings that a reader looks for on behalf of some strategies, each with the strategy whose insights they become. */
export function kindsOf(strategies: readonly Strategy[]): Map<FindingKind, Strategy> {
  const kinds = new Map<FindingKind, Strategy>();
  for (const [kind, strategy] of Object.entries(findingKinds) as [FindingKind, Strategy][]) {
    const wanted = [strategy, ALSO[kind]].find((one) => one !== undefined && strategies.includes(one));
    if (wanted) kinds.set(kind, wanted);
  }
  return kinds;
}
