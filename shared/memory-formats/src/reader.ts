import type { PortableMemory } from '@reverie/shared/contract/memories/portable';

/** Every format that `import` reads, by the name that `--format` takes. */
export const formats = [
  'markdown',
  'logseq',
  'jsonl',
  'csv',
  'claude-code',
  'agent-files',
  'basic-memory',
  'mem0',
  'chatgpt',
  'okf',
  'notion',
  'apple-notes',
] as const;
export type Format = (typeof formats)[number];

/** Reasons why something was not taken; the detail beside it is a sentence for people. */
export type SkipReason =
  | 'empty'
  | 'binary'
  | 'not_utf8'
  | 'unreadable'
  | 'malformed'
  | 'too_large'
  | 'link'
  | 'bookkeeping'
  | 'deleted'
  | 'expired'
  | 'duplicate'
  | 'no_note';

/** Something that was left out: `path` is relative to what is imported, with `:LINE` or `#ITEM` where that helps to find it. */
export interface Skipped {
  path: string;
  reason: SkipReason;
  detail: string;
}

/** `unread` is of a note whose text is whole, while not all that its frontmatter says could be taken. */
export type ReadItem =
  | { kind: 'memory'; memory: PortableMemory; unread?: UnreadFrontmatter }
  | { kind: 'skipped'; skipped: Skipped };

/** A note whose frontmatter could not be read, and why. */
export interface UnreadFrontmatter {
  path: string;
  detail: string;
}

/** Tells whether what lies at a path below the root is passed over, beside what always is. */
export type Ignores = (path: string, isFolder: boolean) => boolean;

export interface ReadOptions {
  /** Puts everything into this namespace, whatever the source says. */
  namespace?: string;
  /** For what names no namespace itself; `default` where omitted. */
  defaultNamespace?: string;
  /** markdown: takes every text file, whatever its ending, such as README or changelog.gz. */
  allText?: boolean;
  /** csv: which column holds which field, where its name does not say so: `{ value: 'Body' }`. */
  columns?: Readonly<Record<string, string>>;
  /**
   * Names the folder or file in the source ids, in place of where it lies. With the name of an earlier
   * import, sources that have moved since are recognised.
   */
  sourceName?: string;
  /** Passes over what lies at a path, beside the folders that always are. */
  ignores?: Ignores;
  /** Told how many bytes of the source were read since the last call, for a progress bar over `measure`. */
  onBytes?: (bytes: number) => void;
}

/**
 * Where sources lie, so that what is gone can be told from what was not read. `files`: what stands behind `root` in an id is a file below
 * `folder`, with `#2` behind it where it is a part. `records`: each id is one of the file's records.
 */
export type SourcePlace =
  { kind: 'files'; root: string; folder: string } | { kind: 'records'; root: string; file: string };

/** Reads what another system (or Reverie's own export) has written. Sources are never changed. */
export interface SourceReader {
  readonly format: Format;
  /** Bytes that `read` will go through, about. */
  measure(path: string, options: ReadOptions): Promise<number>;
  /** Yields memories and what was skipped, in a stable order, holding one file or record at a time. */
  read(path: string, options: ReadOptions): AsyncGenerator<ReadItem>;
  /** Where the sources lie that `read` goes through; missing where their ids do not say from which file they came. */
  places?(path: string, options: ReadOptions): Promise<SourcePlace[]>;
}

/** Returns where something goes that names no namespace itself. */
export function namespaceOf({ namespace, defaultNamespace }: ReadOptions): string {
  return namespace ?? defaultNamespace ?? 'default';
}

/** A failure that the person can mend; the message says how. */
export class ImportError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ImportError';
  }
}

/** One thing that was left out, ready to yield. */
export function skip(path: string, reason: SkipReason, detail: string): ReadItem {
  return { kind: 'skipped', skipped: { path, reason, detail } };
}

/** Says what went wrong, in the words of the error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
