/** What one look at a folder showed. */
export interface Absence {
  /** Files that had a memory and are seen to be gone; of those that were so before, a look at a part of the folder need not say it again. */
  missing: Iterable<string>;
  /** Whether a file is seen to be there, also under another name. */
  isThere: (name: string) => boolean;
  /** Those that have been missing for so long that their memories may go. */
  ripe: ReadonlySet<string>;
  /** Files that had a memory before this look. */
  known: { readonly size: number; has(name: string): boolean };
  /** How many are there that had none. */
  fresh: number;
}

/**
 * Decides which memories go with their files. Of a few files nobody is surprised; where a folder has lost most of its files at once while
 * it still stands, nobody can tell a clearing from a disk that is away or a sync that went wrong: those are held back until they are there
 * again, or the person says that they are meant to be gone.
 */
export interface Holding {
  /** The missing files whose memories may go now. */
  release(absence: Absence): Set<string>;
  /** Files whose memories are held back. */
  held(): ReadonlySet<string>;
  /** How many files were there at the last look at which nothing was held back; undefined before. */
  count(): number | undefined;
  /** What is missing at the next look is meant to be gone. */
  approve(): void;
}

/** A loss of as many files is none of most. */
const FEW = 5;
/** As many are more than a few where nothing else is left. */
const ALL = 3;
/** Files that go within this time go at once, ms: a sync takes them one after the other. */
const AT_ONCE = 10 * 60_000;
/** From so many files on, others in the place of nearly all of them are another folder, and not one that was tidied up. */
const MANY = 10;
const NEARLY_ALL = 0.9;

/**
 * Remembers what a folder has lost lately. `now` is in milliseconds; `lastCount` is how many files it had when it was looked at last, by an
 * earlier run: some that had a memory then may have been missing already.
 */
export function createHolding(now: () => number, lastCount: number | null): Holding {
  let held: ReadonlySet<string> = new Set();
  let approved: ReadonlySet<string> = new Set();
  let before: ReadonlySet<string> = new Set();
  let [isFirst, isApproving] = [true, false];
  let count: number | undefined;
  let looks: { at: number; gone: number; come: number }[] = [];

  /** Files that went lately and for which no other came. */
  function lostLately(missing: ReadonlySet<string>, fresh: number, known: number): number {
    const at = now();
    const goneSince = Math.max(0, (lastCount ?? known) - (known - missing.size));
    const gone = isFirst ? goneSince : missing.difference(before).size;
    const come = fresh + before.difference(missing).size;
    before = missing;
    isFirst = false;
    looks = looks.filter((look) => at - look.at < AT_ONCE);
    if (gone > 0 || come > 0) looks.push({ at, gone, come });
    return looks.reduce((lost, look) => Math.max(0, lost + look.gone - look.come), 0);
  }

  return {
    release({ ripe, known, fresh, isThere, ...absence }) {
      const missing = new Set(
        [...before, ...absence.missing].filter((name) => known.has(name) && !isThere(name)),
      );
      if (isApproving) {
        [approved, before, looks, isApproving] = [missing, missing, [], false];
      } else approved = approved.intersection(missing);
      const doubtful = missing.difference(approved);
      const lost = lostLately(missing, fresh, known.size);
      const present = known.size - missing.size + fresh;
      const isShrunk = present === 0 ? lost >= ALL : lost > FEW && lost > present;
      const isReplaced = known.size >= MANY && doubtful.size > known.size * NEARLY_ALL;
      held = isShrunk || isReplaced ? doubtful : held.intersection(doubtful);
      if (held.size === 0) count = present;
      const released = ripe.intersection(missing).difference(held);
      before = before.difference(released);
      return released;
    },
    held: () => held,
    count: () => count,
    approve() {
      isApproving = true;
    },
  };
}
