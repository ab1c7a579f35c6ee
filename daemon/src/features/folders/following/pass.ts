import type { FolderIssue } from '@reverie/shared/contract/memories/folders';
import type { Holding } from './holding.ts';
import type { Missing } from './missing.ts';
import type { TakingDeps } from './taking.ts';

/** What there is to do: look at what was heard of, at the whole folder, or at every byte of it. */
export interface PassWork {
  isWhole: boolean;
  /** Reads every file, whatever its time says. */
  isDeep: boolean;
  /** Files and folders about which something was heard, absolute. */
  touched: ReadonlySet<string>;
}

/** One look at a folder: afterwards its memories say what its files said. */
export type Pass = (work: PassWork) => Promise<void>;

/** What a pass needs of its folder. */
export interface PassWorld {
  deps: TakingDeps;
  /** What is named, by path. */
  issues: Map<string, FolderIssue>;
  missing: Missing;
  holding: Holding;
  /** Where each note is on this disk, by path. */
  places: Map<string, string>;
  progress(done: number, of: number): void;
  /** Has a file looked at once more, in a pass after this one. */
  again(file: string): void;
  isStopped(): boolean;
}
