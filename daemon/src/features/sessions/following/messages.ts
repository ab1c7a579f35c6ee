import type { SessionAgent } from '@reverie/shared/contract/sessions/sessions';
import type { ReadRecord } from '@reverie/session-logs/format';

/** A log as it was when it was read to its end; the same while nothing of this changes. */
export interface FileState {
  path: string;
  /** The agent's own id of the session that its name says; null where it says none. */
  session: string | null;
  inode: string;
  size: number;
  /** Ms since 1970, with fractions. */
  changed: number;
  /** Lines of which not all could be read. */
  malformed: number;
  /** Records of a kind that was not known. */
  unknown: number;
}

/** What the thread is begun with: whose logs it follows, and how far each was read. */
export interface FollowingWork {
  agent: SessionAgent;
  root: string;
  /** The daemon's time when the thread was begun, ms since 1970. */
  now: number;
  known: readonly FileState[];
}

/** How often a kind of record was met. */
export interface SeenRecords {
  version: string;
  record: string;
  known: boolean;
  count: number;
}

/** Some of what a log says. */
export interface Batch {
  kind: 'batch';
  reads: readonly ReadRecord[];
  /** What the text index stores of the entry at the same place; empty for what is none. */
  bodies: readonly string[];
  seen: readonly SeenRecords[];
  /** Where a log was read to its end with this. */
  file: FileState | undefined;
  /** Paths under which the same session was read, and where nothing is any more: the log was moved, or compressed. */
  movedFrom: readonly string[];
  /** Whether it was written just now. */
  isNews: boolean;
}

/** What the thread says; after each batch it waits for `taken`. */
export type FromThread =
  | Batch
  | { kind: 'progress'; done: number; of: number }
  | { kind: 'following' }
  | { kind: 'absent' }
  | { kind: 'trouble'; reason: string };

export type ToThread = { kind: 'taken' };
