import { defaultFilter } from 'cmdk';
import type { IconName } from '../../ui/Icon.tsx';

/** Entries that a typed text may show; without one all are there. */
const FITTING = 6;

/** Where one can go, or what one can do, from the field. */
export interface FieldEntry {
  id: string;
  group: 'Go to' | 'Do';
  icon: IconName;
  label: string;
  /** Other words that somebody may look for it by. */
  words?: readonly string[];
  shortcut?: string;
  run: () => void;
}

/** The entries that fit best first; all of them, in their own order, where nothing is written. */
export function fittingEntries(entries: readonly FieldEntry[], text: string): readonly FieldEntry[] {
  if (text === '') return entries;
  return entries
    .map((entry) => ({ entry, fit: defaultFilter(entry.label, text, [...(entry.words ?? [])]) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit)
    .slice(0, FITTING)
    .map(({ entry }) => entry);
}
