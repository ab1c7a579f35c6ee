import { objectIn } from '../../../db/json-column.ts';

/** Characters of a label that are indexed with every chunk of a memory. */
const LONGEST = 400;
/** A key that was made because none was given says nothing. */
const MADE = /^mem_[0-9a-z]{26}$/;

/**
 * What a memory is called: its key, and the title and tags of its metadata. It is indexed with each of its
 * chunks, so that `bash copyright` finds the chunk that says "copyright" below the key `bash/…`.
 */
export function labelOf(key: string, metadata: string): string {
  const { title, tags } = objectIn(metadata);
  const names = [MADE.test(key) ? '' : key, title, ...(Array.isArray(tags) ? (tags as unknown[]) : [tags])];
  const texts = names.filter((name): name is string => typeof name === 'string' && name !== '');
  return texts.join('\n').slice(0, LONGEST).toWellFormed();
}
