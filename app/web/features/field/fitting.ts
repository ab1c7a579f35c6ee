import type { IconName } from '../../ui/Icon.tsx';

/** Entries that a typed text may show. */
const FITTING = 6;

/** Where one can go, what one can do, or what can be done to a memory. */
export interface FieldEntry {
  id: string;
  group: 'Places' | 'Do';
  icon: IconName;
  /** Its sign stands there in place of the icon. */
  namespace?: string;
  /** Said before the label, quietly: `Go to`. */
  verb?: string;
  label: string;
  /** Other words that somebody may look for it by. */
  words?: readonly string[];
  shortcut?: string;
  /** Shown only once something is written. */
  isQuiet?: boolean;
  run: () => void;
}

/** Letters without their case and marks. */
export function foldedOf(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Whether a text is the beginning of what an entry is called: then nothing else can be meant as much. */
export function beginsAs({ verb, label }: FieldEntry, text: string): boolean {
  const typed = foldedOf(text);
  return foldedOf(label).startsWith(typed) || (verb !== undefined && foldedOf(`${verb} ${label}`) === typed);
}

/** The entries in which each word of a text begins a word, the ones that are called so first; all of them, in their own order, of no text. */
export function fittingEntries(entries: readonly FieldEntry[], text: string): readonly FieldEntry[] {
  if (text === '') return entries.filter(({ isQuiet }) => !isQuiet);
  const typed = wordsOf(text);
  const fits = entries.filter(({ verb = '', label, words = [] }) => {
    const own = wordsOf([verb, label, ...words].join(' '));
    return typed.every((word) => own.some((one) => one.startsWith(word)));
  });
  return fits.toSorted((a, b) => Number(beginsAs(b, text)) - Number(beginsAs(a, text))).slice(0, FITTING);
}

function wordsOf(text: string): string[] {
  return foldedOf(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
