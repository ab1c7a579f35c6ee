import type { Caller } from '@reverie/shared/accounts/caller';
import type { GrepLine, grepMemory } from '@reverie/shared/contract/search/grep';
import type { Parsed } from '@reverie/shared/contract/route';

/** A text in which lines are looked for. */
export interface GrepText {
  /** Where it stands. */
  at: Pick<GrepLine, 'namespace' | 'key' | 'session' | 'entry'>;
  text: string;
  /** Makes it without its secrets, where it may have any; rejects where it could not be looked through. */
  clean?: () => Promise<string>;
}

export type GrepWanted = Parsed<typeof grepMemory>['query'];

/** Texts that a caller may read, the newest first, in pages of some megabyte. */
export type GrepTexts = (
  caller: Pick<Caller, 'account' | 'within' | 'readable'>,
  wanted: GrepWanted,
) => AsyncIterable<readonly GrepText[]>;
