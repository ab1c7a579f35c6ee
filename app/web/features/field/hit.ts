import type { Citation } from '@reverie/shared/contract/search/ask';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { Passage } from '@reverie/shared/contract/search/passage';
import { type Anatomy, anatomyOf } from '../../ui/reading/anatomy.ts';

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

/** How a hit is shown: as a memory in a list is. Where what is quoted stands in the memory is not known. */
export function anatomyOfHit({ passage, quote, ...memory }: FieldHit): Anatomy {
  const quoted = quote === undefined ? undefined : { text: quote, start: -1, marks: [] };
  return anatomyOf({ ...memory, passage: passage ?? quoted });
}
