import type { Citation } from '@reverie/shared/contract/ask';
import type { Memory } from '@reverie/shared/contract/memories';
import type { Passage } from '@reverie/shared/contract/passage';
import { markedPassage } from '../../platform/passage.ts';
import type { MarkedText } from '../../ui/marked.ts';
import { plainPassage } from '../../ui/reading/plain-passage.ts';
import { foldedOf } from './fitting.ts';

/** A memory in the field: one that fits, that is quoted, or that was changed last. */
export interface FieldHit extends Pick<Memory, 'namespace' | 'key' | 'title' | 'updated_at' | 'metadata'> {
  passage?: Passage | undefined;
  /** What an answer quotes of it, where that is no passage of it. */
  quote?: string;
}

/** A memory that an answer quotes. */
export function hitOf({ passage, quote, ...memory }: Citation): FieldHit {
  return passage ? { ...memory, passage } : { ...memory, quote };
}

/** The lines of a hit: what it is called, and what of it fits. A note that is its own sentence says that once. */
export function linesOf({ key, title, passage, quote }: FieldHit): { title?: string; text?: MarkedText } {
  const name = title === '' ? key : title;
  if (!passage && quote === undefined) return { title: name };
  const text = passage ? plainPassage(markedPassage(passage)) : { text: quote ?? '', marks: [] };
  const lettersOf = (words: string) =>
    foldedOf(words)
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const [said, called] = [lettersOf(text.text), lettersOf(name)];
  if (said === called) return text.marks.length > 0 ? { text } : { title: name };
  return said.startsWith(called) ? { text } : { title: name, text };
}
