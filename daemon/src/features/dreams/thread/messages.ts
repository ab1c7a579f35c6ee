import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import type { PlannedSheet } from '../reading/sheets.ts';
import type { Proposal } from '../proposal.ts';

/** What the thread of a dream is asked. */
export interface DreamWork {
  readonly database: string;
  readonly account: AccountId;
  readonly namespace: string;
  /** Those whose findings by structure are wanted, in order. */
  readonly strategies: readonly Strategy[];
  readonly now: number;
  /** Name of the model whose vectors are compared. */
  readonly embedder: string;
  /** What is to be read in sheets of so many characters, and the bits of what each note is to be read for; null where nobody reads. */
  readonly reading: { readonly first: number; readonly second: number; readonly room: number } | null;
  /** One whole number; not 0 once the dream was cancelled. */
  readonly cancelled: SharedArrayBuffer;
}

/** Sheets that are to be read, and how many memories are unread. */
export interface PlannedSheets {
  readonly sheets: readonly PlannedSheet[];
  readonly unread: number;
  /** Characters on all sheets. */
  readonly letters: number;
}

/** What the thread says, in order, before it answers with what is to be read. */
export type FromThread =
  | { kind: 'viewed'; memories: number; of: number }
  | { kind: 'began'; strategy: Strategy }
  | { kind: 'found'; strategy: Strategy; ms: number; proposals: readonly Proposal[] }
  | { kind: 'failed'; strategy: Strategy; reason: string };
