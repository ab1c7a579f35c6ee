/** Why a PDF has no text here, or not all of it: `limit` for pages, characters, time or memory. */
export type TextLeftOut = 'encrypted' | 'broken' | 'empty' | 'limit';

/** How much of one PDF is read at most. */
export interface ReadingLimits {
  pages: number;
  /** UTF-16 units. */
  characters: number;
}

/** A file that the thread is to read. */
export interface ToReader extends ReadingLimits {
  file: string;
}

/** A page that was read, or the end of a file. */
export type FromReader =
  { kind: 'page'; page: number; text: string } | { kind: 'end'; left_out: TextLeftOut | null };
