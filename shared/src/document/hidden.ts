import type { Behind } from './register.ts';

/** What has to be known of the rows of a namespace to tell which are hidden behind others. */
export interface HidingRows {
  /** When the memory of a key was made, and what it says that it is hidden behind; undefined where there is none, or it is in the trash. */
  at(key: string): { created_at: number; behind: Behind | undefined } | undefined;
  /** The keys of those that say they are hidden behind a key. */
  behind(key: string): readonly string[];
}

/** The key that a memory is hidden behind as far as it says: where that one is there, and is the one that was meant. */
function nextOf(rows: HidingRows, key: string): string | undefined {
  const behind = rows.at(key)?.behind;
  return behind && rows.at(behind.key)?.created_at === behind.created_at ? behind.key : undefined;
}

/** The keys that follow from one to the next, until there is none, or one comes again; that one is `end`. */
function chainFrom(rows: HidingRows, key: string): { keys: Set<string>; end: string | undefined } {
  const keys = new Set([key]);
  let end = nextOf(rows, key);
  for (; end !== undefined && !keys.has(end); end = nextOf(rows, end)) keys.add(end);
  return { keys, end };
}

/**
 * Whether a memory is hidden behind another: it says so, that one is there, and that one is not hidden behind it in turn, by way of others or not. Devices
 * that hid two memories behind each other did not know of each other, and nobody would find either.
 */
export function isHiddenBehind(rows: HidingRows, key: string): boolean {
  return nextOf(rows, key) !== undefined && chainFrom(rows, key).end !== key;
}

/** The keys of memories that may become hidden or shown by a change of one row: to be asked before that row changes and after it. */
export function keysAround(rows: HidingRows, key: string): Set<string> {
  return new Set([...chainFrom(rows, key).keys, ...rows.behind(key)]);
}
