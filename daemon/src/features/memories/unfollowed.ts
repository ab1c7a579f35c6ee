import type { MemoryDeps } from './deps.ts';

const nothing = () => undefined;

/**
 * What it takes to write memories that nobody follows: nothing is indexed, told, derived or synced of them, except by the parts in `given`.
 */
export function unfollowed(
  given: Pick<MemoryDeps, 'store' | 'clock'> & Partial<Pick<MemoryDeps, 'index' | 'facts' | 'links'>>,
): MemoryDeps {
  return {
    index: {
      put: nothing,
      remove: nothing,
      shelve: nothing,
      clear: nothing,
      has: () => false,
      saying: () => [],
      sayingAny: () => [],
    },
    events: {
      record: nothing,
      redact: nothing,
      redactEarlier: nothing,
      renamed: nothing,
      wasCalled: () => false,
      goesOn: nothing,
      namesakes: () => [],
    },
    followers: {
      overwritten: nothing,
      renamed: nothing,
      trashed: nothing,
      deleted: nothing,
      cleared: nothing,
    },
    facts: { withdrawn: nothing, changed: nothing },
    links: { named: () => () => [], linkingTo: () => [] },
    sync: { wrote: nothing, renamed: nothing, deleted: nothing, cleared: nothing },
    quota: { stored: nothing },
    recalled: nothing,
    maxVersions: 5,
    ...given,
  };
}
