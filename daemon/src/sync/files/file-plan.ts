import type { SyncedFile } from '../ports.ts';

/** What is known of a path: the file here, what was agreed on last, and the file of the room. */
export interface PathState {
  mine: (Pick<SyncedFile, 'hash'> & { isOwn: boolean }) | undefined;
  known: { here: string | null; there: string | null } | undefined;
  theirs: Pick<SyncedFile, 'hash'> | undefined;
}

/**
 * What is to be done about a path. `set`: the room is told of the file here; `remove`: that it is gone. `fetch`: the room's file is to be here;
 * `drop`: it is gone there, and so it is here.
 */
export type PathStep = 'set' | 'remove' | 'fetch' | 'drop' | 'none';

/**
 * Decides by what changed since both sides agreed. A file out of a folder of this machine is never replaced by another device's, nor told of again while
 * it stays as it is: two devices that have different files at one path keep their own, and the one that changed last is what the others get.
 */
export function stepOf({ mine, known, theirs }: PathState, mayWrite: boolean): PathStep {
  const here = mine?.isOwn ? mine.hash : null;
  // What another device sent is told of, and sent, by that one.
  if (!known && mine && !theirs) return mayWrite && mine.isOwn ? 'set' : 'none';
  if (known && here !== known.here && mayWrite) {
    if (here !== null) return theirs?.hash === here ? 'none' : 'set';
    if (theirs && theirs.hash === known.here) return 'remove';
  }
  if (!theirs) {
    if (!mine) return 'none';
    if (!mine.isOwn) return 'drop';
    return mayWrite ? 'set' : 'none';
  }
  return mine && (mine.isOwn || mine.hash === theirs.hash) ? 'none' : 'fetch';
}
