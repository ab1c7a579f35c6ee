/** Why a PDF has no text here, or not all of it: `limit` for pages, characters, time or memory. */
export type TextLeftOut = 'encrypted' | 'broken' | 'empty' | 'limit';

/** How much of one PDF is read at most. */
export interface ReadingLimits {
  pages: number;
  /** UTF-16 units. */
  characters: number;
}

/** A file that the thread is to read. */
export interface PdfQuestion extends ReadingLimits {
  file: string;
}

/** A page that has text. */
export interface PdfPage {
  page: number;
  text: string;
}
