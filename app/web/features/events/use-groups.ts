import { useMemo } from 'react';
import { useNow } from '../../platform/clock.ts';
import { dayOf } from '../../platform/days.ts';
import type { EventRow } from './event-row.ts';
import { groupsOf, type EventGroup } from './grouping.ts';

/** What a list of groups needs: where each stands, and where a day begins. */
export interface Grouped {
  groups: readonly EventGroup[];
  /** The same function as long as the groups are the same. */
  keyAt: (index: number) => string;
  /** The day that begins with a group. */
  dayAt: (index: number) => string | undefined;
  /** Where the group of an event stands; -1 where it is in none. */
  indexOf: (seq: number | undefined) => number;
}

/** The rows as groups. */
export function useGroups(rows: readonly EventRow[]): Grouped {
  const now = useNow();
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const keyAt = useMemo(() => (index: number) => groups[index]?.id ?? String(index), [groups]);
  const day = (index: number) => {
    const newest = groups[index]?.rows[0];
    return newest && dayOf(newest.created_at, now);
  };
  return {
    groups,
    keyAt,
    dayAt: (index) => (index > 0 && day(index - 1) === day(index) ? undefined : day(index)),
    indexOf: (seq) =>
      seq === undefined ? -1 : groups.findIndex((group) => group.rows.some((row) => row.seq === seq)),
  };
}
